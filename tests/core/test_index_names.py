"""How an index of some of the items is called in a table of its own."""

import pytest

from designer.core.design.load import load
from designer.core.planner.pipeline import outlined

DEVICES = """
keywright: 1
name: Devices
entities:
  - name: Device
    identifier: [deviceId]
    items: 600000
    attributes:
      - {name: deviceId, format: uuid}
      - {name: siteId, bytes: 12, distinct: 900}
      - {name: online, values: ["yes", "no"], shares: [0.97, 0.03], mutable: true}
      - {name: faulty, values: ["yes", "no"], shares: [0.03, 0.97], mutable: true}
      - {name: state, values: [NEW, READY], shares: [0.02, 0.98], mutable: true}
patterns:
  - number: 1
    name: Some of a site
    kind: list
    returns: Device
    where: [{attribute: siteId, is: {param: siteId}}, {attribute: ATTRIBUTE, is: {value: VALUE}}]
    rate: {average: 50}
"""


@pytest.mark.parametrize(
    ("attribute", "value", "name"),
    [
        ("state", "NEW", "NewDevicesBySite"),
        ("online", '"no"', "NotOnlineDevicesBySite"),
        ("faulty", '"yes"', "FaultyDevicesBySite"),
    ],
)
def test_it_is_called_after_what_all_its_items_are(attribute, value, name):
    text = DEVICES.replace("ATTRIBUTE", attribute).replace("VALUE", value)
    made = outlined(load(text), "multi")
    assert [index.name for table in made.tables for index in table.indexes] == [name]

/* Example values are changed where they are seen: a double click on a cell, or Enter. From a table that has the focus Enter
   leads to its first cell and the arrows to the others. Enter saves, Escape leaves it as it was; what is refused stays
   typed, with the reason below. Only where the page says where they are kept ([data-examples]). */
(() => {
  "use strict";
  const place = () => document.querySelector("[data-examples]")?.dataset.examples;
  const cells = (scope) => [...scope.querySelectorAll("td[data-of]")];
  const named = (cell) => {
    const { id } = cell.closest("tr");
    // The same item has a row in the table and one in each index: grid-single-shop-Order-2.
    const block = cell.closest(".grid-block")?.id;
    return { id, row: block && id.startsWith(`${block}-`) ? id.slice(block.length + 1) : id, of: cell.dataset.of };
  };
  let back = null;

  const focus = (cell) => {
    cell.tabIndex = -1;
    cell.focus();
  };
  const again = ({ id, of }) => {
    const row = document.getElementById(id);
    const cell = row && cells(row).find((each) => each.dataset.of === of);
    if (cell) focus(cell);
  };
  const close = (form) => {
    const cell = form.closest("td");
    cell.classList.remove("is-edited");
    cell.replaceChildren(...form.was);
    return cell;
  };
  const open = (cell) => {
    if (!place() || cell.querySelector("form")) return;
    for (const form of document.querySelectorAll("form.example-form")) close(form);
    const { id, row, of } = named(cell);
    const shown = cell.querySelector(".grid-value");
    const form = document.createElement("form");
    form.className = "example-form";
    form.was = [...cell.childNodes];
    form.noValidate = true;
    for (const [name, value] of Object.entries({ "hx-post": place(), "hx-target": "#results", "hx-swap": "morph:innerHTML" })) {
      form.setAttribute(name, value);
    }
    const input = document.createElement("input");
    input.type = "text";
    input.name = "value";
    input.autocomplete = "off";
    input.value = shown?.title || shown?.textContent || "";
    input.setAttribute("aria-label", `${of} of ${row}`);
    for (const [name, value] of Object.entries({ row, of })) {
      const hidden = document.createElement("input");
      Object.assign(hidden, { type: "hidden", name, value });
      form.append(hidden);
    }
    form.append(input);
    cell.classList.add("is-edited");
    cell.replaceChildren(form);
    window.htmx.process(form);
    input.select();
    input.focus();
    form.addEventListener("submit", () => { back = { id, of }; });
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      focus(close(form));
    });
  };

  document.addEventListener("dblclick", (event) => {
    const cell = event.target.closest("td[data-of]");
    if (cell && place()) open(cell);
  });
  document.addEventListener("keydown", (event) => {
    if (!place() || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input")) return;
    if (event.target.matches(".grid-scroll") && event.key === "Enter") {
      const first = cells(event.target)[0];
      if (first) focus(first);
      event.preventDefault();
      return;
    }
    const cell = event.target.closest("td[data-of]");
    if (!cell || event.target !== cell) return;
    if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      open(cell);
      return;
    }
    const row = cell.closest("tr");
    const own = cells(row);
    const rows = [...cell.closest("table").querySelectorAll("tr")].filter((each) => cells(each).length);
    const beside = { ArrowRight: own[own.indexOf(cell) + 1], ArrowLeft: own[own.indexOf(cell) - 1] }[event.key];
    const other = { ArrowDown: rows[rows.indexOf(row) + 1], ArrowUp: rows[rows.indexOf(row) - 1] }[event.key];
    const next = beside ?? (other && (cells(other).find((each) => each.dataset.of === cell.dataset.of) ?? cells(other)[0]));
    if (!next) return;
    event.preventDefault();
    focus(next);
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const form = event.detail.requestConfig.elt;
    if (!form.matches?.("form.example-form") || event.detail.xhr.status !== 422) return;
    event.detail.shouldSwap = false;
    event.detail.isError = false;
    back = null;
    let why = form.querySelector(".error");
    if (!why) {
      why = document.createElement("p");
      why.className = "error";
      why.setAttribute("role", "alert");
      why.id = "example-error";
      form.append(why);
    }
    why.textContent = event.detail.xhr.responseText;
    const input = form.querySelector("[name='value']");
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", why.id);
    input.focus();
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (!back) return;
    const wanted = back;
    back = null;
    again(wanted);
  });
})();

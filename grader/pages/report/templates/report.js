"use strict";
(() => {
  const table = document.getElementById("results");
  const heads = [...table.tHead.rows[1].cells];
  const bodies = [...table.tBodies];
  const find = document.getElementById("find");
  const verdict = document.getElementById("verdict");
  const flagged = document.getElementById("flagged");
  const expand = document.getElementById("expand");
  const said = document.getElementById("said");
  const picks = [...document.querySelectorAll(".pick")];
  const order = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

  // To lay out a table of 1,000 rows takes longer than to sort it: these come first, the others
  // when they are on the screen.
  const NEAR = 100;

  const name = (body) => body.rows[0].cells[0].dataset.v;
  const detail = (body) => document.getElementById(body.id + "-d");
  const button = (body) => body.querySelector(".open");

  function open(body, wanted) {
    if (wanted) detail(body).hidden = false;
    else detail(body).setAttribute("hidden", "until-found");
    button(body).setAttribute("aria-expanded", String(wanted));
  }

  const isOpen = (body) => button(body).getAttribute("aria-expanded") === "true";

  function compare(index, sign) {
    return (a, b) => {
      const x = a.rows[0].cells[index].dataset.v;
      const y = b.rows[0].cells[index].dataset.v;
      if (x === "" || y === "") return (x === "") - (y === "");
      return sign * (index === 0 ? order.compare(x, y) : x - y) || order.compare(name(a), name(b));
    };
  }

  function showAll() {
    for (const body of bodies) body.classList.remove("far");
  }

  function sort(head, index) {
    const first = index > 0 && head.classList.contains("num") ? "descending" : "ascending";
    const now = head.getAttribute("aria-sort");
    const next = now === "none" ? first : now === "ascending" ? "descending" : "ascending";
    for (const other of heads) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", next);
    bodies.sort(compare(index, next === "ascending" ? 1 : -1));
    let shown = 0;
    for (const body of bodies) body.classList.toggle("far", !body.hidden && ++shown > NEAR);
    table.append(...bodies);
    requestAnimationFrame(() => setTimeout(showAll));
    said.textContent = `sorted by ${head.textContent.trim()}, ${next}`;
  }

  function filter() {
    const wanted = find.value.trim().toLowerCase();
    let shown = 0;
    for (const body of bodies) {
      body.hidden = !(
        name(body).toLowerCase().includes(wanted) &&
        (!verdict.value || body.dataset.verdict === verdict.value) &&
        (!flagged.checked || body.dataset.flags !== "0")
      );
      shown += !body.hidden;
    }
    for (const pick of picks) {
      pick.setAttribute("aria-pressed", String(pick.dataset.verdict === verdict.value));
    }
    said.textContent = shown === bodies.length ? "" : `${shown} of ${bodies.length} shown`;
  }

  function openLinked() {
    const body = bodies.find((each) => `#${each.id}` === location.hash);
    if (!body) return;
    if (body.hidden) {
      find.value = verdict.value = "";
      flagged.checked = false;
      filter();
    }
    showAll();
    open(body, true);
    body.scrollIntoView();
  }

  heads.forEach((head, index) => {
    head.querySelector("button").addEventListener("click", () => sort(head, index));
  });
  table.addEventListener("click", (event) => {
    if (!event.target.closest(".row") || String(getSelection())) return;
    const body = event.target.closest("tbody");
    open(body, !isOpen(body));
  });
  table.addEventListener("beforematch", (event) => open(event.target.closest("tbody"), true));
  expand.addEventListener("click", () => {
    const all = expand.textContent === "Open all";
    for (const body of bodies) if (!body.hidden) open(body, all);
    expand.textContent = all ? "Close all" : "Open all";
  });
  for (const pick of picks) {
    pick.addEventListener("click", () => {
      verdict.value = verdict.value === pick.dataset.verdict ? "" : pick.dataset.verdict;
      filter();
    });
  }
  find.form.addEventListener("submit", (event) => event.preventDefault());
  find.addEventListener("input", filter);
  verdict.addEventListener("change", filter);
  flagged.addEventListener("change", filter);
  addEventListener("hashchange", openLinked);
  openLinked();
})();

"use strict";
// Times in the browser's zone, time left, and a submission's page while it waits and is graded.
// Pages are complete without it.
(() => {
  const inZone = new Intl.DateTimeFormat("en-GB", {
    weekday: "short", day: "numeric", month: "short",
    hour: "2-digit", minute: "2-digit", timeZoneName: "short",
  });
  const UNITS = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  const AGAIN_MS = 15000;

  // As grader/people/course/local_time.py: the two largest units.
  function span(seconds) {
    const counts = UNITS.map(([name, size]) => {
      const count = Math.floor(seconds / size);
      seconds -= count * size;
      return [count, name];
    });
    const first = counts.findIndex(([count]) => count > 0);
    const shown = first < 0 ? [] : counts.slice(first, first + 2).filter(([count]) => count > 0);
    return shown.map(([count, name]) => `${count} ${name}`).join(" ") || "0 s";
  }

  function showTimes(root) {
    for (const each of root.querySelectorAll("time[data-local]")) {
      each.title = each.textContent;
      each.textContent = inZone.format(new Date(each.dateTime));
    }
    // By the server's clock at the time of the answer: that of the browser may be wrong.
    for (const each of root.querySelectorAll("[data-left]")) {
      each.ends = performance.now() / 1000 + Number(each.dataset.left);
    }
  }

  function countDown() {
    for (const each of document.querySelectorAll("[data-left]")) {
      const left = Math.max(0, Math.floor(each.ends - performance.now() / 1000));
      each.textContent = left ? span(left) : each.dataset.over || "0 s";
    }
  }

  async function redraw(live) {
    const answer = await fetch(location.pathname, { credentials: "same-origin" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("live");
    // Of two answers at a time the second may be the same: what the reader has opened stays open.
    if (!fresh || fresh.innerHTML === live.drawn) return;
    live.drawn = fresh.innerHTML;
    live.dataset.state = fresh.dataset.state;
    live.replaceChildren(...fresh.childNodes);
    document.title = page.title;
    showTimes(live);
    countDown();
  }

  function follow(live) {
    const state = document.getElementById("state");
    const source = new EventSource(live.dataset.events);
    let shown = null;
    source.addEventListener("state", (event) => {
      const now = JSON.parse(event.data);
      if (state.textContent.trim() !== now.headline) state.textContent = now.headline;
      const next = `${now.state} ${now.phase}`;
      if (next !== shown && (shown !== null || now.state !== live.dataset.state)) redraw(live);
      shown = next;
      if (now.state === "graded" || now.state === "judge_error") source.close();
    });
    // A refusal ends an EventSource; a broken connection it mends by itself.
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(() => redraw(live).finally(() => watch(live)), AGAIN_MS);
    });
    addEventListener("pagehide", () => source.close(), { once: true });
  }

  function watch(live) {
    if (live.dataset.state === "waiting" || live.dataset.state === "grading") follow(live);
  }

  showTimes(document);
  countDown();
  setInterval(countDown, 1000);
  const live = document.getElementById("live");
  if (live) {
    watch(live);
    // Back from another page that the browser had kept this one behind.
    addEventListener("pageshow", (event) => {
      if (event.persisted) redraw(live).then(() => watch(live));
    });
  }
})();

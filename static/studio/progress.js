"use strict";
// The progress of every open job on the page: one event stream for all of them, polling where streams do not pass.
(() => {
  const jobs = () => [...document.querySelectorAll('[data-job][data-open="1"]')].map((element) => element.dataset.job);
  const root = document.body.dataset.progress;
  if (!root) return;
  let stream = null, timer = null, followed = "", failures = 0;

  function show(job) {
    for (const element of document.querySelectorAll(`[data-job="${job.id}"]`)) {
      element.querySelector("[data-job-state]").textContent = job.state_label;
      element.querySelector("[data-job-message]").textContent = job.message;
      const bar = element.querySelector("progress");
      if (bar && job.percent !== null) bar.value = job.percent;
      if (!job.open) {
        element.dataset.open = "0";
        bar?.remove();
        element.querySelector("[data-job-cancel]")?.remove();
        const line = document.getElementById("status-line");
        if (line) line.textContent = job.ended;
        for (const part of document.querySelectorAll("[data-reload-when-done]")) htmx.trigger(part, "job-done");
      }
    }
  }

  function stop() {
    stream?.close();
    clearTimeout(timer);
    stream = timer = null;
  }

  async function poll(address) {
    try {
      const answer = await fetch(address + "&once=1", { headers: { Accept: "application/json" } });
      if (answer.ok) for (const job of (await answer.json()).jobs) show(job);
    } catch { /* the network is away: the next look may find it */ }
    follow(true);
  }

  function follow(again = false) {
    const wanted = document.hidden ? "" : jobs().join(",");
    if (wanted === followed && !again) return;
    stop();
    followed = wanted;
    if (!wanted) return;
    const address = `${root}?jobs=${wanted}`;
    if (failures > 2 || !window.EventSource) { timer = setTimeout(poll, 2000, address); return; }
    stream = new EventSource(address);
    stream.addEventListener("job", (event) => { failures = 0; show(JSON.parse(event.data)); });
    stream.addEventListener("end", () => { followed = ""; stop(); follow(); });
    stream.onerror = () => { failures += 1; stop(); followed = ""; timer = setTimeout(follow, 500 * failures); };
  }

  document.addEventListener("visibilitychange", () => follow());
  document.addEventListener("htmx:after:swap", () => follow());
  follow();
})();

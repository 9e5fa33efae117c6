"use strict";
// The editor with a script: jumping to a line, Ctrl-S, and text that is not lost while it is unsaved.
const form = document.querySelector("[data-editor]");
if (form) {
  const area = form.querySelector("textarea");
  const state = form.querySelector("[data-editor-state]");
  const key = `draft:${form.dataset.key}`;
  const saved = area.value;
  const jump = (line) => {
    const lines = area.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    area.focus();
    area.setSelectionRange(start, start + (lines[line - 1] || "").length);
    area.scrollTop = (area.scrollHeight / lines.length) * Math.max(0, line - 8);
  };
  const keep = (text) => {
    try { text === null ? localStorage.removeItem(key) : localStorage.setItem(key, text); } catch { /* storage is off */ }
  };
  let kept = null;
  try { kept = localStorage.getItem(key); } catch { /* storage is off */ }
  if (kept !== null && kept !== saved && !area.readOnly) area.value = kept;
  else keep(null);
  const tell = () => {
    const changed = area.value !== saved;
    state.textContent = area.readOnly ? "" : changed ? "Not saved" : "Saved";
    keep(changed ? area.value : null);
  };
  let leaving = false;
  area.addEventListener("input", tell);
  form.addEventListener("submit", () => { leaving = true; });
  window.addEventListener("beforeunload", (event) => {
    if (!leaving && area.value !== saved) event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "s" && !area.readOnly) {
      event.preventDefault();
      form.requestSubmit(form.querySelector("button[value=save]"));
    }
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-jump]");
    if (!link) return;
    event.preventDefault();
    jump(Number(link.dataset.jump));
  });
  tell();
  if (form.dataset.line) jump(Number(form.dataset.line));
}

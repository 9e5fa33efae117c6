"use strict";
// What every page does: the theme's switch.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-theme-switch]");
  if (!button) return;
  const root = document.documentElement;
  const theme = root.getAttribute("data-bs-theme") === "dark" ? "light" : "dark";
  root.setAttribute("data-bs-theme", theme);
  button.setAttribute("aria-pressed", String(theme === "dark"));
  try { localStorage.setItem("theme", theme); } catch { /* storage is off: for this page only */ }
});
for (const button of document.querySelectorAll("[data-theme-switch]")) {
  button.setAttribute("aria-pressed", String(document.documentElement.getAttribute("data-bs-theme") === "dark"));
}

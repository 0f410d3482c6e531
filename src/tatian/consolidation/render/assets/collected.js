'use strict';
(() => {
  const field = document.getElementById('search');
  const count = document.getElementById('count');
  const entries = [...document.querySelectorAll('#stories > li')].map((entry) => ({
    entry,
    text: entry.textContent.toLowerCase(),
  }));
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { entry, text } of entries) {
      entry.hidden = !words.every((word) => text.includes(word));
      shown += entry.hidden ? 0 : 1;
    }
    count.textContent = shown === 1 ? '1 story' : `${shown} stories`;
  });
})();

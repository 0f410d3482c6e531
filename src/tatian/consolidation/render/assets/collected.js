'use strict';
(() => {
  const field = document.getElementById('search');
  const count = document.getElementById('count');
  const alone = document.getElementById('alone');
  const entries = [...document.querySelectorAll('#stories > li, #articles > li')].map((entry) => ({
    entry,
    single: entry.parentNode.id === 'articles',
    text: entry.textContent.toLowerCase(),
  }));
  const counted = (number, one, more) => `${number} ${number === 1 ? one : more}`;
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = [0, 0];
    for (const { entry, single, text } of entries) {
      entry.hidden = !words.every((word) => text.includes(word));
      shown[Number(single)] += entry.hidden ? 0 : 1;
    }
    if (alone) alone.hidden = !shown[1];
    const articles = alone ? `, ${counted(shown[1], 'single article', 'single articles')}` : '';
    count.textContent = counted(shown[0], 'story', 'stories') + articles;
  });
})();

// What annotators press on the pages that `workbench_long_document.py` measures, and how long the
// browser takes: from the key to the frame that shows its effect. A function of [page, action,
// places, [every, pause]]: after so many actions it rests for so many milliseconds, as people do, so
// that drafts are sent and the rules are asked, and their answers come while the next ones are
// measured. Gives milliseconds, one for each place.

async ([name, action, places, [every, pause]]) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const rest = (time) => new Promise((done) => setTimeout(done, time));
  const press = (key, options = {}) => {
    const target = document.activeElement || document.body;
    const all = { key, bubbles: true, cancelable: true, ...options };
    target.dispatchEvent(new KeyboardEvent("keydown", all));
  };
  const until = async (holds) => {
    for (let tries = 0; tries < 500 && !holds(); tries += 1) await frame();
    if (!holds()) throw new Error(`${name} ${action}: nothing happens`);
  };
  const tap = async (node) => {
    node.scrollIntoView({ block: "center" });
    await frame();
    const box = node.getBoundingClientRect();
    const where = { bubbles: true, button: 0, pointerId: 1, pointerType: "touch",
                    clientX: box.x + 2, clientY: box.y + 2 };
    node.dispatchEvent(new PointerEvent("pointerdown", { ...where, buttons: 1 }));
    node.dispatchEvent(new PointerEvent("pointerup", where));
    await frame();
    await frame();
  };
  const focus = async (node) => {
    node.scrollIntoView({ block: "center" });
    node.focus();
    await frame();
  };
  const undo = () => press("z", { ctrlKey: true });

  const onText = async (place) => tap(document.querySelector(`.coref-text .w[data-i="${place}"]`));
  const coref = {
    select: async (place) => {
      await onText(place);
      return () => press("j");
    },
    move: async (place) => {
      await onText(place);
      return () => press("ArrowRight", { shiftKey: true });
    },
    add: async (place) => {
      await onText(place);
      press("ArrowRight", { shiftKey: true });
      await frame();
      return () => press("Enter");
    },
    link: async (place) => {
      await onText(place);
      press("j");
      await frame();
      press("l");
      await frame();
      return () => press("Enter");
    },
    undo: async (place) => {
      await onText(place);
      return undo;
    },
  };

  const words = (root) => document.querySelector(root).querySelectorAll(".word");
  const onWord = async (root, place) => {
    const all = words(root);
    await focus(all[place % all.length]);
  };
  const unlinked = async (place) => {
    const all = words(".detection .words");
    const free = [...all].findIndex((word, index) => index >= place % all.length && !word.matches(".linked"));
    await onWord(".detection .words", Math.max(free, 0));
  };
  const detection = {
    move: async (place) => {
      await onWord(".detection .words", place);
      return () => press("ArrowRight");
    },
    select: async (place) => {
      await unlinked(place);
      return () => press(" ");
    },
    link: async (place) => {
      press("Escape");
      await unlinked(place);
      press(" ");
      await until(() => document.querySelector(".pages li"));
      press("Enter");
      await frame();
      return () => press("Enter");
    },
    remove: async (place) => {
      const all = document.querySelectorAll('.links [aria-label^="Remove"]');
      const button = all[place % all.length];
      await focus(button);
      return () => button.click();
    },
    undo: async (place) => {
      await onWord(".detection .words", place);
      return undo;
    },
  };

  const union = '[aria-label^="Union"]';
  const marking = {
    move: async (place) => {
      await onWord(union, place);
      return () => press("ArrowRight");
    },
    mark: async (place) => {
      await onWord(union, place);
      return () => press(" ");
    },
    kind: async (place) => {
      await onWord(union, place);
      return () => press(place % 2 ? "u" : "r");
    },
    undo: async (place) => {
      await onWord(union, place);
      return undo;
    },
  };

  const atSentence = async (place) => {
    const all = document.querySelectorAll(".review .sentence .head");
    const head = all[place % (all.length - 1)];
    head.scrollIntoView({ block: "center" });
    head.click();
    await frame();
  };
  const review = {
    next: async (place) => {
      await atSentence(place);
      return () => press("j");
    },
    accept: async (place) => {
      await atSentence(place);
      return () => press("a");
    },
    reject: async (place) => {
      await atSentence(place);
      press("r");
      await frame();
      return () => press("1");
    },
    undo: async (place) => {
      await atSentence(place);
      return undo;
    },
  };

  const found = [];
  for (const [turn, place] of places.entries()) {
    if (turn % every === every - 1) await rest(pause);
    const step = await { coref, detection, marking, review }[name][action](place);
    const begin = performance.now();
    step();
    await frame();
    found.push(performance.now() - begin);
    await frame();
  }
  return found;
}

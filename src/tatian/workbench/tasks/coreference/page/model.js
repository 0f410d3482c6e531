// Marked phrases and the chains they are in, without anything of how they look.
//
//   const markup = new Markup(words)          words: see words.js
//   markup.load(state) / markup.state()       {mentions: [[id, start, end, chain, headStart, headEnd,
//                                             optional]]}; headStart -1: MIN is the whole phrase
//   markup.answer()                           {markables: [{id, start, end, antecedent, head,
//                                             optional}]}: what the API gets
//   markup.get(id) .at(start, end) .order .members(chain) .chains   to look at
//   markup.add(start, end, head) .remove(id) .link(id, other) .unlink(id) .split(id)
//         .setHead(id, head) .setOptional(id, on) .setExtent(id, start, end, head)   to change
//
// A mention is {id, start, end, first, last, chain, head: [start, end] | null, optional}; `first` and
// `last` are its words. Every mention is in a chain, alone if it is not linked. Links themselves are
// not kept: they follow from the chains, in the order that section 7 of the definition recommends.

export class Markup {
  constructor(words) {
    this.words = words;
    this.clear();
  }

  clear() {
    this.mentions = new Map();
    this.places = new Map();
    this.chains = new Map();
    this.order = [];
    this.lastId = 0;
    this.lastChain = 0;
  }

  load(state) {
    this.clear();
    for (const [id, start, end, chain, headStart, headEnd, optional] of state?.mentions || []) {
      const head = headStart < 0 ? null : [headStart, headEnd];
      this.put({ id, start, end, chain, head, optional: Boolean(optional) });
    }
    this.order.sort((one, other) => compare(this.get(one), this.get(other)));
  }

  state() {
    const mentions = this.order.map((id) => {
      const { start, end, chain, head, optional } = this.get(id);
      return [id, start, end, chain, head ? head[0] : -1, head ? head[1] : -1, optional ? 1 : 0];
    });
    return { mentions };
  }

  get(id) {
    return this.mentions.get(id);
  }

  at(start, end) {
    return this.places.get(`${start}:${end}`) ?? null;
  }

  // The mentions of a chain in the order of the text.
  members(chain) {
    const found = [...(this.chains.get(chain) || [])].map((id) => this.get(id));
    return found.sort(compare);
  }

  linked(mention) {
    return this.chains.get(mention.chain).size > 1;
  }

  put(mention) {
    const [first, last] = this.words.range(mention.start, mention.end);
    Object.assign(mention, { first, last });
    this.mentions.set(mention.id, mention);
    this.places.set(`${mention.start}:${mention.end}`, mention.id);
    this.enter(mention, mention.chain);
    this.order.push(mention.id);
    this.lastId = Math.max(this.lastId, mention.id);
    this.lastChain = Math.max(this.lastChain, mention.chain);
  }

  enter(mention, chain) {
    mention.chain = chain;
    if (!this.chains.has(chain)) this.chains.set(chain, new Set());
    this.chains.get(chain).add(mention.id);
  }

  leave(mention) {
    const chain = this.chains.get(mention.chain);
    chain.delete(mention.id);
    if (!chain.size) this.chains.delete(mention.chain);
    else this.mend(mention.chain);
  }

  // Only an anaphor can be optional: somebody in each chain must be certain.
  mend(chain) {
    const members = this.members(chain);
    if (members.length && members.every((one) => one.optional)) members[0].optional = false;
  }

  add(start, end, head = null) {
    const known = this.at(start, end);
    if (known !== null) return known;
    const id = this.lastId + 1;
    this.put({ id, start, end, chain: this.lastChain + 1, head, optional: false });
    this.sortIn(id);
    return id;
  }

  // The last of `order` to its place.
  sortIn(id) {
    this.order.pop();
    const mention = this.get(id);
    let low = 0;
    let high = this.order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(this.get(this.order[middle]), mention) < 0) low = middle + 1;
      else high = middle;
    }
    this.order.splice(low, 0, id);
  }

  remove(id) {
    const mention = this.get(id);
    this.mentions.delete(id);
    this.places.delete(`${mention.start}:${mention.end}`);
    this.order.splice(this.order.indexOf(id), 1);
    this.leave(mention);
  }

  // Both chains become one, under the other's number: coreference is transitive.
  link(id, other) {
    const { chain } = this.get(id);
    const target = this.get(other).chain;
    if (chain === target) return false;
    for (const member of this.members(chain)) this.enter(member, target);
    this.chains.delete(chain);
    this.mend(target);
    return true;
  }

  unlink(id) {
    const mention = this.get(id);
    if (!this.linked(mention)) return false;
    this.leave(mention);
    mention.optional = false;
    this.enter(mention, this.lastChain += 1);
    return true;
  }

  // The mention and all after it become a chain of their own.
  split(id) {
    const { chain } = this.get(id);
    const members = this.members(chain);
    const place = members.findIndex((one) => one.id === id);
    if (place === 0) return false;
    const fresh = (this.lastChain += 1);
    for (const member of members.slice(place)) {
      this.chains.get(chain).delete(member.id);
      this.enter(member, fresh);
    }
    this.mend(chain);
    this.mend(fresh);
    return true;
  }

  setHead(id, head) {
    const mention = this.get(id);
    const whole = head && head[0] === mention.start && head[1] === mention.end;
    mention.head = whole ? null : head;
  }

  setOptional(id, optional) {
    const mention = this.get(id);
    const others = this.members(mention.chain).filter((one) => one.id !== id);
    if (optional && !others.some((one) => !one.optional)) return false;
    mention.optional = optional;
    return true;
  }

  setExtent(id, start, end, head) {
    if (this.at(start, end) !== null) return false;
    const { chain, optional } = this.get(id);
    const mention = this.get(id);
    this.places.delete(`${mention.start}:${mention.end}`);
    this.order.splice(this.order.indexOf(id), 1);
    this.put({ id, start, end, chain, head, optional });
    this.sortIn(id);
    return true;
  }

  antecedents() {
    const found = new Map();
    for (const chain of this.chains.keys()) {
      const members = this.members(chain);
      const certain = members.find((one) => !one.optional);
      let latest = null;
      for (const one of members) {
        const antecedent = latest ?? (one.optional ? certain : null);
        if (antecedent) found.set(one.id, antecedent.id);
        if (!one.optional) latest = one;
      }
    }
    return found;
  }

  answer() {
    const antecedents = this.antecedents();
    const markables = this.order.map((id) => {
      const { start, end, head, optional } = this.get(id);
      const markable = { id: String(id), start, end };
      const antecedent = antecedents.get(id);
      if (antecedent !== undefined) markable.antecedent = String(antecedent);
      if (head) markable.head = { start: head[0], end: head[1] };
      if (optional) markable.optional = true;
      return markable;
    });
    return { markables };
  }
}

// An answer's links as chains: they are symmetric and transitive.
export function stateOf(answer) {
  const markables = answer?.markables || [];
  const numbers = new Map(markables.map((one, index) => [one.id, index]));
  const root = markables.map((_, index) => index);
  const find = (index) => {
    let at = index;
    while (root[at] !== at) at = root[at] = root[root[at]];
    return at;
  };
  markables.forEach((one, index) => {
    const other = numbers.get(one.antecedent);
    if (other === undefined) return;
    const [low, high] = [find(index), find(other)].sort((a, b) => a - b);
    root[high] = low;
  });
  const chains = new Map();
  const mentions = markables.map(({ start, end, head, optional }, index) => {
    const top = find(index);
    if (!chains.has(top)) chains.set(top, chains.size + 1);
    const [from, to] = head ? [head.start, head.end] : [-1, -1];
    return [index + 1, start, end, chains.get(top), from, to, optional ? 1 : 0];
  });
  return { mentions };
}

export function compare(one, other) {
  return one.start - other.start || other.end - one.end;
}

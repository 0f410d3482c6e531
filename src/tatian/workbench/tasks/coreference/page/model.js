// Marked phrases and their chains, without their appearance.
//
//   const markup = new Markup(words)          words: see words.js
//   markup.load(state) / markup.state()       {mentions: [[id, start, end, chain, headStart, headEnd,
//                                             optional]]}; headStart -1: MIN is the whole phrase
//   markup.answer()                           {markables: [{id, start, end, antecedent, head,
//                                             optional}]}, as the API takes it
//   markup.get(id) .idAt(start, end) .order .members(chain) .chains .isLinked(mention)
//   markup.add(start, end, head) .remove(id) .link(id, other) .unlink(id) .split(id)
//         .setHead(id, head) .setOptional(id, on) .setExtent(id, start, end, head)
//
// A mention is {id, start, end, first, last, chain, head: [start, end] | null, optional}; `first` and
// `last` are the indices of its words. Every mention is in a chain, alone if it is not linked. Links
// are not stored: they follow from the chains, in the order that section 7 of the definition
// recommends.

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
      this.insert({ id, start, end, chain, head, optional: Boolean(optional) });
    }
    this.order.sort((mention, other) => compareMentions(this.get(mention), this.get(other)));
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

  idAt(start, end) {
    return this.places.get(`${start}:${end}`) ?? null;
  }

  // The mentions of a chain in the order of the text.
  members(chain) {
    const members = [...(this.chains.get(chain) || [])].map((id) => this.get(id));
    return members.sort(compareMentions);
  }

  isLinked(mention) {
    return this.chains.get(mention.chain).size > 1;
  }

  insert(mention) {
    const [first, last] = this.words.range(mention.start, mention.end);
    Object.assign(mention, { first, last });
    this.mentions.set(mention.id, mention);
    this.places.set(`${mention.start}:${mention.end}`, mention.id);
    this.joinChain(mention, mention.chain);
    this.order.push(mention.id);
    this.lastId = Math.max(this.lastId, mention.id);
    this.lastChain = Math.max(this.lastChain, mention.chain);
  }

  joinChain(mention, chain) {
    mention.chain = chain;
    if (!this.chains.has(chain)) this.chains.set(chain, new Set());
    this.chains.get(chain).add(mention.id);
  }

  leaveChain(mention) {
    const chain = this.chains.get(mention.chain);
    chain.delete(mention.id);
    if (!chain.size) this.chains.delete(mention.chain);
    else this.ensureCertain(mention.chain);
  }

  // Each chain needs a mention that is not optional.
  ensureCertain(chain) {
    const members = this.members(chain);
    if (members.length && members.every((mention) => mention.optional)) members[0].optional = false;
  }

  add(start, end, head = null) {
    const existing = this.idAt(start, end);
    if (existing !== null) return existing;
    const id = this.lastId + 1;
    this.insert({ id, start, end, chain: this.lastChain + 1, head, optional: false });
    this.sortLast(id);
    return id;
  }

  // Move the last id of `order` to its place.
  sortLast(id) {
    this.order.pop();
    const mention = this.get(id);
    let low = 0;
    let high = this.order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareMentions(this.get(this.order[middle]), mention) < 0) low = middle + 1;
      else high = middle;
    }
    this.order.splice(low, 0, id);
  }

  remove(id) {
    const mention = this.get(id);
    this.mentions.delete(id);
    this.places.delete(`${mention.start}:${mention.end}`);
    this.order.splice(this.order.indexOf(id), 1);
    this.leaveChain(mention);
  }

  // Join both chains under the number of the other's, as coreference is transitive.
  link(id, other) {
    const { chain } = this.get(id);
    const target = this.get(other).chain;
    if (chain === target) return false;
    for (const member of this.members(chain)) this.joinChain(member, target);
    this.chains.delete(chain);
    this.ensureCertain(target);
    return true;
  }

  unlink(id) {
    const mention = this.get(id);
    if (!this.isLinked(mention)) return false;
    this.leaveChain(mention);
    mention.optional = false;
    this.joinChain(mention, this.lastChain += 1);
    return true;
  }

  // Make a new chain of the mention and all later ones of its chain.
  split(id) {
    const { chain } = this.get(id);
    const members = this.members(chain);
    const index = members.findIndex((mention) => mention.id === id);
    if (index === 0) return false;
    const newChain = (this.lastChain += 1);
    for (const member of members.slice(index)) {
      this.chains.get(chain).delete(member.id);
      this.joinChain(member, newChain);
    }
    this.ensureCertain(chain);
    this.ensureCertain(newChain);
    return true;
  }

  setHead(id, head) {
    const mention = this.get(id);
    const isWhole = head && head[0] === mention.start && head[1] === mention.end;
    mention.head = isWhole ? null : head;
  }

  setOptional(id, optional) {
    const mention = this.get(id);
    const others = this.members(mention.chain).filter((mention) => mention.id !== id);
    if (optional && !others.some((mention) => !mention.optional)) return false;
    mention.optional = optional;
    return true;
  }

  setExtent(id, start, end, head) {
    if (this.idAt(start, end) !== null) return false;
    const { chain, optional } = this.get(id);
    const mention = this.get(id);
    this.places.delete(`${mention.start}:${mention.end}`);
    this.order.splice(this.order.indexOf(id), 1);
    this.insert({ id, start, end, chain, head, optional });
    this.sortLast(id);
    return true;
  }

  antecedents() {
    const antecedents = new Map();
    for (const chain of this.chains.keys()) {
      const members = this.members(chain);
      const certain = members.find((mention) => !mention.optional);
      let latest = null;
      for (const mention of members) {
        const antecedent = latest ?? (mention.optional ? certain : null);
        if (antecedent) antecedents.set(mention.id, antecedent.id);
        if (!mention.optional) latest = mention;
      }
    }
    return antecedents;
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

// The state of an answer: its links as chains, as links are symmetric and transitive.
export function stateOf(answer) {
  const markables = answer?.markables || [];
  const numbers = new Map(markables.map((mention, index) => [mention.id, index]));
  const parents = markables.map((_, index) => index);
  const findRoot = (index) => {
    let at = index;
    while (parents[at] !== at) at = parents[at] = parents[parents[at]];
    return at;
  };
  markables.forEach((mention, index) => {
    const other = numbers.get(mention.antecedent);
    if (other === undefined) return;
    const [low, high] = [findRoot(index), findRoot(other)].sort((a, b) => a - b);
    parents[high] = low;
  });
  const chains = new Map();
  const mentions = markables.map(({ start, end, head, optional }, index) => {
    const chainRoot = findRoot(index);
    if (!chains.has(chainRoot)) chains.set(chainRoot, chains.size + 1);
    const [from, to] = head ? [head.start, head.end] : [-1, -1];
    return [index + 1, start, end, chains.get(chainRoot), from, to, optional ? 1 : 0];
  });
  return { mentions };
}

export function compareMentions(mention, other) {
  return mention.start - other.start || other.end - mention.end;
}

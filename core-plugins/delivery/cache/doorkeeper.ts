const bits = 524_288
const periodMs = 30_000
/** A half with more of them would take too many new keys for old ones. */
const maxKeys = bits / 8

/**
 * Recognises keys that are requested again within a minute, in 128 KiB, so that requests for ever new keys do not fill
 * the memory. It mistakes a few new keys in a hundred for old ones, which does no harm. If so many keys come that this share
 * would grow, it remembers them for less than a minute.
 */
export class Doorkeeper {
  #current = new Uint8Array(bits / 8)
  #previous = new Uint8Array(bits / 8)
  /** In the current half. */
  #keys = 0
  #turnsAtMs = performance.now() + periodMs

  /** Whether the key was seen before; from now on it was. */
  hasSeen(key: string): boolean {
    this.#turn()
    const hash = hashOf(key)
    const [first, second] = [hash % bits, mixed(hash) % bits]
    const isCurrent = has(this.#current, first) && has(this.#current, second)
    if (isCurrent) return true
    add(this.#current, first)
    add(this.#current, second)
    this.#keys += 1
    return has(this.#previous, first) && has(this.#previous, second)
  }

  #turn(): void {
    const now = performance.now()
    if (now < this.#turnsAtMs && this.#keys < maxKeys) return
    // After a long pause both halves are old.
    const isLong = now > this.#turnsAtMs + periodMs
    const oldest = this.#previous.fill(0)
    this.#previous = isLong ? this.#current.fill(0) : this.#current
    this.#current = oldest
    this.#keys = 0
    this.#turnsAtMs = now + periodMs
  }
}

function has(half: Uint8Array, bit: number): boolean {
  return ((half[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0
}

function add(half: Uint8Array, bit: number): void {
  half[bit >> 3] = (half[bit >> 3] ?? 0) | (1 << (bit & 7))
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619)
  }
  return hash >>> 0
}

/** A second hash from the first: the last step of MurmurHash3. */
function mixed(hash: number): number {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2_ae35)
  return (mix ^ (mix >>> 16)) >>> 0
}

const bits = 524_288
const periodMs = 30_000
/** The maximum number of keys per half; more would cause too many false positives. */
const maxKeys = bits / 8

/**
 * Recognises keys that are requested again within a minute, in 128 KiB, so that requests for ever new keys do not fill the
 * cache. A few per cent of new keys are mistaken for old ones, which is harmless. If so many keys arrive that this share would
 * grow, keys are remembered for less than a minute.
 */
export class Doorkeeper {
  #current = new Uint8Array(bits / 8)
  #previous = new Uint8Array(bits / 8)
  /** The number of keys in the current half. */
  #keys = 0
  #turnsAtMs = performance.now() + periodMs

  /** Whether the key was seen before; also remembers it. */
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
    // After a long pause both halves have expired.
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

/** The FNV-1a hash. */
function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619)
  }
  return hash >>> 0
}

/** A second hash derived from the first, by the last step of MurmurHash3. */
function mixed(hash: number): number {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2_ae35)
  return (mix ^ (mix >>> 16)) >>> 0
}

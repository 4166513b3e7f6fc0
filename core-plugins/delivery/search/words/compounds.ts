/** Several words of a text joined by signs: `e-mail`, `my_var`, `AB-12/3`, `don't`. */
export interface Compound {
  readonly start: number
  readonly end: number
  /** Its words without the signs: `email`, `AB123`. */
  readonly joined: string
}

const codeOf = (sign: string) => sign.charCodeAt(0)
const joiners = new Set([..."-_/.'’·\u2027\u2010\u2011\u2012\u2013"].map(codeOf))
const [space, dot] = [codeOf(' '), codeOf('.')]
/** Longer ones are addresses and paths, which people search for with their punctuation. */
const maxParts = 8

const hasLetter = /\p{L}/u
const isDigit = (code: number) => code >= codeOf('0') && code <= codeOf('9')

/** Finds the compounds of a text while its words are read in order. */
export class Compounds {
  readonly #text: string
  /** The start, end and number of the last words joined by signs. */
  #start = 0
  #end = 0
  #parts = 0
  #joined = ''

  constructor(text: string) {
    this.#text = text
  }

  /** Adds the next word; returns the compound that ended before it, if there is one. */
  next(start: number, end: number): Compound | undefined {
    const isPart = this.#parts > 0 && this.#isJoinedTo(start)
    const ended = isPart ? undefined : this.end()
    if (isPart) {
      if (this.#parts === 1) this.#joined = this.#text.slice(this.#start, this.#end)
      this.#joined += this.#text.slice(start, end)
    } else this.#start = start
    this.#end = end
    this.#parts += 1
    return ended
  }

  /** Returns the compound that ends with the last word, if there is one. */
  end(): Compound | undefined {
    const parts = this.#parts
    this.#parts = 0
    // Signs change the meaning of numbers: 1.5, 3/4, 2026-11.
    if (parts < 2 || parts > maxParts || !hasLetter.test(this.#joined)) return undefined
    return { start: this.#start, end: this.#end, joined: this.#joined }
  }

  #isJoinedTo(start: number): boolean {
    const text = this.#text
    const end = this.#end
    const code = text.charCodeAt(end)
    if (start !== end + 1 || code === space || !joiners.has(code)) return false
    if (!isDigit(text.charCodeAt(end - 1)) || !isDigit(text.charCodeAt(start))) return true
    // 1.5kg is not 15kg, but AB-12/3 may be written AB12/3.
    return code !== dot && hasLetter.test(text.slice(this.#start, end))
  }
}

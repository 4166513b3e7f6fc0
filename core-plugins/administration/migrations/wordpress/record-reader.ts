import { MigrationError } from '../migration-error.ts'
import type { ExportRecord, RecordPart } from './export-record.ts'
import type { XmlReader } from './read-xml.ts'

/** As long as a record of other imports may be; the longest books are a tenth of it. */
const maxCharacters = 16_000_000
/** Those of custom fields and terms included. */
const maxElements = 50_000

/** Is called for the elements of an export. */
export interface RecordListener {
  /** Called with each element of the channel once it is complete. @throws MigrationError */
  record(record: ExportRecord): void
  /** Called for each comment of an item. Comments are only counted, since they may be too many to keep. */
  comment(): void
}

/** Characters that XML does not allow, but that WordPress exports. No database accepts all of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unusable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Gathers the elements of an export's channel: `rss` > `channel` > record > part > text. */
export class RecordReader implements XmlReader {
  readonly #listener: RecordListener
  #depth = 0
  #record: ExportRecord | undefined
  #part: RecordPart | undefined
  #name = ''
  #text: string[] = []
  #characters = 0
  #elements = 0
  /** Whether the current element is ignored. */
  #isSkipped = false

  constructor(listener: RecordListener) {
    this.#listener = listener
  }

  open(name: string, attributes: Readonly<Record<string, string>>, line: number): void {
    this.#depth += 1
    this.#text = []
    this.#name = name
    const part = { name, attributes, text: '', texts: new Map() }
    if (this.#depth === 1 && name !== 'rss') {
      throw new MigrationError(`line ${line}: the file begins with <${name}>: it is no export of WordPress`)
    }
    if (this.#depth === 3) {
      this.#record = { ...part, line, parts: [] }
      this.#characters = 0
      this.#elements = 0
    } else if (this.#depth === 4) this.#begin(part)
    if (this.#depth > 3 && !this.#isSkipped) this.#elements += 1
    if (this.#elements > maxElements)
      throw new MigrationError(`line ${line}: <${this.#record?.name}> has more than ${maxElements} elements`)
  }

  #begin(part: RecordPart): void {
    this.#part = part
    this.#isSkipped = part.name === 'wp:comment'
    if (this.#isSkipped) this.#listener.comment()
    else this.#record?.parts.push(part)
  }

  text(text: string, line: number): void {
    if (this.#depth < 3 || this.#isSkipped) return
    this.#characters += text.length
    if (this.#characters > maxCharacters) {
      const { name, line: begin } = this.#record as ExportRecord
      throw new MigrationError(
        `line ${line}: <${name}> in line ${begin} has more than ${maxCharacters} characters`,
      )
    }
    this.#text.push(text)
  }

  close(name: string): void {
    const text = this.#text.join('').replace(unusable, '')
    // Texts between child elements are whitespace.
    const isLeaf = name === this.#name
    if (isLeaf && this.#depth === 5 && !this.#isSkipped) this.#part?.texts.set(name, text)
    else if (isLeaf && this.#depth === 4 && this.#part !== undefined) this.#part.text = text
    else if (isLeaf && this.#depth === 3 && this.#record !== undefined) this.#record.text = text
    if (this.#depth === 4) this.#isSkipped = false
    if (this.#depth === 3 && this.#record !== undefined) this.#listener.record(this.#record)
    this.#depth -= 1
    this.#name = ''
    this.#text = []
  }
}

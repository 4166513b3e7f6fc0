import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { TextDecoder } from 'node:util'
import type { QualifiedTag, SAXParser, Tag } from 'sax'
import { MigrationError } from '../migration-error.ts'

/** Is called for the parts of an XML file in document order. Lines count from 1. */
export interface XmlReader {
  open(name: string, attributes: Readonly<Record<string, string>>, line: number): void
  /** A long text arrives in several calls. */
  text(text: string, line: number): void
  close(name: string, line: number): void
}

/** The deepest nesting of elements; exports of WordPress have six levels. */
const maxDepth = 32
/** The declaration of the encoding is within these bytes. */
const headBytes = 512

/** Reads a file of any size, with little of it in memory at a time. @throws MigrationError that names the line */
export async function readXml(path: string, reader: XmlReader): Promise<void> {
  const decoder = await decoderFor(path)
  const { default: sax } = await import('sax')
  const parser = new sax.SAXParser(true)
  connect(parser, reader)
  for await (const chunk of createReadStream(path)) parser.write(decoded(decoder, chunk as Buffer, parser))
  parser.write(decoded(decoder, undefined, parser)).close()
}

/** @throws MigrationError */
async function decoderFor(path: string): Promise<TextDecoder> {
  const head = await headOf(path)
  const [, declared] = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(head.toString('latin1')) ?? []
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  const marked = head[0] === 0xfe ? 'utf-16be' : 'utf-16le'
  const encoding = isUtf16 ? marked : (declared ?? 'utf-8')
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch (error) {
    throw new MigrationError(`line 1: the encoding ${encoding} is not known: save the file as UTF-8`, {
      cause: error,
    })
  }
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new MigrationError(`${path} cannot be read`, { cause: error })
  })
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const start = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0
    return buffer.subarray(start, bytesRead)
  } finally {
    await file.close()
  }
}

function decoded(decoder: TextDecoder, chunk: Buffer | undefined, parser: SAXParser): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch (error) {
    const message = `after line ${lineOf(parser)}: the file is not in ${decoder.encoding}, as it says, or damaged`
    throw new MigrationError(message, { cause: error })
  }
}

const lineOf = ({ line }: SAXParser) => line + 1

function connect(parser: SAXParser, reader: XmlReader): void {
  let depth = 0
  const refuse = (message: string) => {
    throw new MigrationError(`line ${lineOf(parser)}: ${message}`)
  }
  parser.onerror = (error) => refuse(`the file is no well-formed XML: ${error.message.split('\n', 1)[0]}`)
  // Entities declared there could expand without end, and WordPress writes no declarations.
  parser.onsgmldeclaration = () => refuse('the file has declarations of its own, which are not read')
  parser.ondoctype = () => refuse('the file has a document type, which is not read: remove the DOCTYPE')
  parser.onopentag = ({ name, attributes }: Tag | QualifiedTag) => {
    depth += 1
    if (depth > maxDepth) refuse(`there are more than ${maxDepth} elements in one another`)
    reader.open(name, attributes as Record<string, string>, lineOf(parser))
  }
  parser.ontext = (text) => reader.text(text, lineOf(parser))
  parser.oncdata = (text) => reader.text(text, lineOf(parser))
  parser.onclosetag = (name) => {
    depth -= 1
    reader.close(name, lineOf(parser))
  }
}

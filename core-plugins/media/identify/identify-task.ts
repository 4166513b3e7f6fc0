import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { canonicalType, compoundTypes, extensionsOf, svgType, textTypeOf } from './file-types.ts'
import { hidesMarkup, looksLikeProgram, rootElementOf } from './markup.ts'
import { isJson, isText } from './text-content.ts'

export interface FileToIdentify {
  readonly path: string
  /** Of the client's name for it, in lower case and without the dot; empty for none. */
  readonly extension: string
}

/** What a file is, or why it cannot be taken. */
export type Identity =
  | { readonly mediaType: string; readonly extension: string }
  | { readonly refusal: string }

/** How much of the beginning and of the end of a file is looked at for what does not belong there. */
const inspectedBytes = 64 * 1024

/** Tells what a file is by its content, and whether its name says so too. */
export default async function identify({ path, extension }: FileToIdentify): Promise<Identity> {
  const { head, tail, size } = await readEnds(path)
  const detected = await detect(path)
  if (detected === undefined) return identifyText({ path, extension, head, size })
  const mediaType = isCompound(detected.mime) ? compoundType(extension) : canonicalType(detected.mime)
  if (mayHideMarkup(mediaType) && (hidesMarkup(head) || hidesMarkup(tail))) {
    return { refusal: `it is ${mediaType} with a page or a script inside` }
  }
  return named(mediaType, extensionsOf(mediaType, detected.ext), extension)
}

/** Of XML, and of some kinds of text, only the first line is recognised: those are looked at as text. */
async function detect(path: string) {
  const detected = await fileTypeFromFile(path).catch(() => undefined)
  const isTextual = detected !== undefined && /^text\/|[/+]xml$/.test(detected.mime)
  return isTextual && detected.mime !== 'text/rtf' ? undefined : detected
}

function isCompound(mediaType: string): boolean {
  return mediaType === 'application/x-cfb'
}

function compoundType(extension: string): string {
  return compoundTypes.find((type) => extensionsOf(type, '').includes(extension)) ?? 'application/x-cfb'
}

/** Archives and office documents hold texts of all kinds, which nobody runs where they stand. */
function mayHideMarkup(mediaType: string): boolean {
  return /^(image|video|audio)\//.test(mediaType) || mediaType === 'application/pdf'
}

interface PossibleText extends FileToIdentify {
  readonly head: Buffer
  readonly size: number
}

async function identifyText({ path, extension, head, size }: PossibleText): Promise<Identity> {
  if (!(await isText(path))) return { refusal: 'its type cannot be told from its content' }
  const start = head.toString('utf8')
  const root = rootElementOf(start)
  if (root === 'svg') return named(svgType, ['svg'], extension)
  if (root === 'html' || looksLikeProgram(start)) return { refusal: 'HTML and scripts are not accepted' }
  if (extension === '') return { mediaType: 'text/plain', extension: 'txt' }
  const mediaType = textTypeOf(extension)
  if (mediaType === undefined) return { refusal: `it is text, which its name (.${extension}) does not say` }
  if (mediaType === 'application/json' && !(await isJson(path, size, start))) {
    return { refusal: 'it is called JSON and is none' }
  }
  return { mediaType, extension }
}

function named(mediaType: string, possible: readonly string[], extension: string): Identity {
  const [first = 'bin'] = possible
  if (extension === '' || possible.includes(extension)) return { mediaType, extension: first }
  return { refusal: `it is ${mediaType}, which its name (.${extension}) does not say; call it .${first}` }
}

async function readEnds(path: string) {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const length = Math.min(size, inspectedBytes)
    const head = Buffer.alloc(length)
    const tail = Buffer.alloc(length)
    await file.read(head, 0, length, 0)
    await file.read(tail, 0, length, size - length)
    return { head, tail, size }
  } finally {
    await file.close()
  }
}

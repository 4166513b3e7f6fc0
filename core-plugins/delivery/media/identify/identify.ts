import { fileTypeFromFile } from 'file-type'
import { readPart, withFile } from '../open-file.ts'
import { canonicalType, compoundTypes, extensionsOf, svgType, textTypeOf } from './file-types.ts'
import { beginsLikeProgram, hidesMarkup, looksLikeProgram, rootElementOf } from './markup.ts'
import { endOfMetadata } from './picture-parts.ts'
import { isJson, isText } from './text-content.ts'

export interface FileToIdentify {
  readonly path: string
  /** From the file name that the client sent, in lower case, without the dot; empty if it has none. */
  readonly extension: string
}

/** The type of a file, or why it is refused. */
export type Identity =
  | { readonly mediaType: string; readonly extension: string }
  | { readonly refusal: string }

/** How many bytes at the beginning and at the end of a file are searched for markup. */
const inspectedBytes = 64 * 1024

/** Detects the type of a file from its content and checks that the extension matches. */
export async function identify({ path, extension }: FileToIdentify): Promise<Identity> {
  const { head, size } = readHead(path)
  const detected = await detect(path)
  if (detected === undefined) return identifyText({ path, extension, head, size })
  const mediaType = isCompound(detected.mime) ? compoundType(extension) : canonicalType(detected.mime)
  if (isShown(mediaType) && (beginsLikeProgram(head) || hidesMarkup(readTrailer(path, mediaType)))) {
    return { refusal: `it is ${mediaType} and a page or a script at once` }
  }
  return named(mediaType, extensionsOf(mediaType, detected.ext), extension)
}

/** The detection knows XML and some kinds of text only by their first line, so they are treated as text. */
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

/** Whether browsers show files of the type; archives and office documents are downloads. */
function isShown(mediaType: string): boolean {
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
  if (mediaType === 'text/vtt' && !/^\uFEFF?WEBVTT(\s|$)/.test(start)) {
    return { refusal: 'it is called WebVTT and is none' }
  }
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

function readHead(path: string) {
  return withFile(path, (file, size) => ({ head: readPart(file, 0, Math.min(size, inspectedBytes)), size }))
}

/** The end of a picture after its text metadata, which is where foreign data may have been appended. */
function readTrailer(path: string, mediaType: string): Buffer {
  return withFile(path, (file, size) => {
    const start = Math.max(endOfMetadata(file, mediaType, size), size - inspectedBytes)
    return readPart(file, start, Math.max(0, size - start))
  })
}

import { cleanFile } from '../private-data/clean-file.ts'
import { type EmbeddedWords, wordsIn } from '../private-data/words.ts'
import { type FileToIdentify, type Identity, identify } from './identify.ts'

export interface FileToExamine extends FileToIdentify {
  /** Path to which the unchanged file is copied if something has to be removed from it. */
  readonly untouched: string
  readonly removesPrivateData: boolean
}

/** The type of a file and the texts embedded in an image, or why it is refused. */
export type Examined =
  | (Extract<Identity, { readonly mediaType: string }> & {
      /** Whether private data was removed; then the unchanged file is at `untouched`. */
      readonly hasChanged: boolean
      readonly words: EmbeddedWords
    })
  | Extract<Identity, { readonly refusal: string }>

/**
 * Identifies a file and removes private data (location, device) from it, in one task, since each task has the cost of a
 * message to a thread.
 */
export default async function examine(file: FileToExamine): Promise<Examined> {
  const identity = await identify(file)
  if ('refusal' in identity) return identity
  const { mediaType } = identity
  const words = mediaType.startsWith('image/') ? wordsIn(file.path) : {}
  const hasChanged = file.removesPrivateData && (await cleanFile(file.path, mediaType, file.untouched))
  return { ...identity, hasChanged, words }
}

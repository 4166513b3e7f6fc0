import { cleanFile } from '../private-data/clean-file.ts'
import { type EmbeddedWords, wordsIn } from '../private-data/words.ts'
import { type FileToIdentify, type Identity, identify } from './identify.ts'

export interface FileToExamine extends FileToIdentify {
  /** Where the file is copied to as it was, if anything has to be taken out. */
  readonly untouched: string
  readonly removesPrivateData: boolean
}

/** What a file is, and what an image says about itself; or why it is refused. */
export type Examined =
  | (Extract<Identity, { readonly mediaType: string }> & {
      /** The file as it was is at another place, as something was taken out of it. */
      readonly hasChanged: boolean
      readonly words: EmbeddedWords
    })
  | Extract<Identity, { readonly refusal: string }>

/** Tells what a file is, and takes out of it where and with what it was taken: at once, as each task costs its way to a thread. */
export default async function examine(file: FileToExamine): Promise<Examined> {
  const identity = await identify(file)
  if ('refusal' in identity) return identity
  const { mediaType } = identity
  const words = mediaType.startsWith('image/') ? wordsIn(file.path) : {}
  const hasChanged = file.removesPrivateData && (await cleanFile(file.path, mediaType, file.untouched))
  return { ...identity, hasChanged, words }
}

import type { MediaFile } from '../../../../../../../client/client.ts'
import { api } from '../../../ground/api/client.ts'
import { isOutdated } from '../../../ground/api/refusal.ts'
import type { FileVersion } from '../media-queries.ts'
import { changesOf, contestedIn, type Words, wordsOf } from './words.ts'

/** Somebody else has described the file in another way; only whoever edits it can decide. */
export class ContestedWords extends Error {
  readonly theirs: FileVersion
  readonly names: readonly (keyof Words)[]

  constructor(theirs: FileVersion, names: readonly (keyof Words)[]) {
    super('the file has been changed by somebody else')
    this.theirs = theirs
    this.names = names
  }
}

/** Others may save again and again; after that, somebody has to try once more. */
const maxAttempts = 3

/**
 * Saves edits that were made from a version of a file. What others have changed since stays, if it is something else.
 * @throws ContestedWords, MortiseError
 */
export async function saveWords(from: FileVersion, edits: Partial<Words>): Promise<MediaFile> {
  let { file, etag } = from
  for (let attempt = 1; ; attempt++) {
    try {
      const changes = changesOf(file, { ...wordsOf(file), ...edits })
      return await api.media.update(file.id, changes, { ifMatch: etag })
    } catch (error) {
      if (!isOutdated(error) || attempt === maxAttempts) throw error
    }
    const theirs = await api.media.getVersion(file.id)
    const contested = contestedIn(wordsOf(from.file), wordsOf(theirs.file), edits)
    if (contested.length > 0) throw new ContestedWords(theirs, contested)
    ;({ file, etag } = theirs)
  }
}

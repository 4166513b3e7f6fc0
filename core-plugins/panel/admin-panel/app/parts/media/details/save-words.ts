import type { MediaFile } from '../../../../../../../client/client.ts'
import { api } from '../../../ground/api/client.ts'
import { isOutdated } from '../../../ground/api/refusal.ts'
import type { FileVersion } from '../media-queries.ts'
import { changesOf, contestedIn, type Words, wordsOf } from './words.ts'

/** Another user has changed the same texts of the file; the editing user has to decide. */
export class ContestedWords extends Error {
  readonly theirs: FileVersion
  readonly names: readonly (keyof Words)[]

  constructor(theirs: FileVersion, names: readonly (keyof Words)[]) {
    super('the file has been changed by somebody else')
    this.theirs = theirs
    this.names = names
  }
}

/** How often to retry when other users keep saving in between. */
const maxAttempts = 3

/**
 * Saves edits based on a version of a file. Other users' changes to other values are kept.
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

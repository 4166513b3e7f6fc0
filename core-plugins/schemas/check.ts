import type { StartupProblem } from '../../kernel/index.ts'
import type { Drafts } from './draft.ts'

/** Everything that is wrong with the meaning of the files, their shape apart. */
export function checkDrafts(_drafts: Drafts): StartupProblem[] {
  return []
}

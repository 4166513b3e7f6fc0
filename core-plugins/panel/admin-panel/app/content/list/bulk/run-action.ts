import { MortiseError } from '../../../../../../../client/client.ts'
import { api } from '../../../ground/api/client.ts'
import type { DescribedType } from '../../../ground/api/content-types.ts'
import { errorText, problemText } from '../../../ground/i18n/problem-text.ts'
import type { BulkAction } from './bulk-actions.ts'

export interface ActionRun {
  readonly type: DescribedType
  readonly action: BulkAction
  readonly ids: readonly number[]
  /** What `change` writes into each entry. */
  readonly data?: Readonly<Record<string, unknown>>
  /** Reports progress of actions that send one request per entry. */
  readonly onProgress: (done: number) => void
}

/** Why an action, or a part of it, failed. */
export interface ActionProblem {
  /** The entry concerned; undefined if the problem concerns all entries. */
  readonly id?: number
  readonly message: string
}

export interface ActionOutcome {
  readonly count: number
  /** The batch by which the action can be undone until `expires_at`. */
  readonly batch?: { readonly id: string; readonly expires_at: string }
  readonly problems: readonly ActionProblem[]
}

/** Runs a bulk action, for all entries or none; only actions on the trash may succeed for some entries. */
export async function runAction(run: ActionRun): Promise<ActionOutcome> {
  const { action } = run
  if (action === 'restore' || action === 'purge') return runOneByOne(run)
  try {
    const { count, batch } = await runTogether(run, action)
    return { count, problems: [], ...(batch !== null && { batch }) }
  } catch (error) {
    return { count: 0, problems: problemsOf(error, run.type) }
  }
}

function runTogether({ type, ids, data = {} }: ActionRun, action: Exclude<BulkAction, 'restore' | 'purge'>) {
  const entries = api.collection(type.name)
  switch (action) {
    case 'publish':
      return entries.publishMany(ids)
    case 'unpublish':
      return entries.unpublishMany(ids)
    case 'change':
      return entries.updateMany(ids, data as never)
    case 'delete':
      return entries.deleteMany(ids)
  }
}

async function runOneByOne({ type, action, ids, onProgress }: ActionRun): Promise<ActionOutcome> {
  const entries = api.collection(type.name)
  const problems: ActionProblem[] = []
  for (const [index, id] of ids.entries()) {
    try {
      if (action === 'restore') await entries.restore(id)
      else await entries.delete(id, { permanent: true })
    } catch (error) {
      problems.push({ id, message: errorText(error) })
    }
    onProgress(index + 1)
  }
  return { count: ids.length - problems.length, problems }
}

/** The service names entries as `article:7`, and their fields behind that. */
function problemsOf(error: unknown, { name }: DescribedType): readonly ActionProblem[] {
  if (!(error instanceof MortiseError) || error.details.length === 0) return [{ message: errorText(error) }]
  return error.details.map(({ path, code, message: original }) => {
    const message = problemText({ code, message: original })
    const [whole = '', id] = new RegExp(`^${name}:(\\d+)\\.?`).exec(path) ?? []
    const field = path.slice(whole.length)
    const text = field === '' ? message : `${field}: ${message}`
    return id === undefined ? { message: text } : { id: Number(id), message: text }
  })
}

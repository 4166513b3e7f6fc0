import { type ServiceToken, service } from '../../../../kernel/index.ts'
import type { ContentAction } from '../../../accounts/auth/auth.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { BatchRecorder, BulkOperation, RecordedBatch } from '../batch-recorder.ts'
import type { WriteDeps } from '../write/write-deps.ts'
import type { WriteRequest } from '../write-request.ts'
import type { OperationMutation, OperationRoute, Run } from './operation.ts'
import { namedOperations } from './operations.ts'

/** An operation as REST and GraphQL offer it: the permission it takes, the types it applies to, and its route. */
export interface OfferedOperation {
  /** The name of the service method, such as `updateMany`. */
  readonly name: string
  readonly right: ContentAction
  readonly scope: string
  readonly policies: readonly string[]
  readonly isOf: (type: ContentType) => boolean
  readonly route: OperationRoute | undefined
  readonly mutation: OperationMutation | undefined
  /** For callers who have passed the policies. The answer of a bulk write says how to undo it (see `BulkAnswer`). */
  readonly run: Run
}

/** All operations of content, from which GraphQL builds its mutations. */
export const offeredOperationsService: ServiceToken<readonly OfferedOperation[]> =
  service('offeredOperations')

const scopes: Readonly<Record<ContentAction, string>> = {
  read: 'content:read',
  create: 'content:write',
  update: 'content:write',
  delete: 'content:delete',
  publish: 'content:publish',
}

export function offerOperations(deps: WriteDeps, recordBatch: BatchRecorder): readonly OfferedOperation[] {
  return namedOperations.map(([name, operation]) => {
    const { right, isForAdministrators = false, recordedAs, of = () => true, route, mutation } = operation
    const run = operation.run.bind(operation, deps)
    return {
      ...{ name, right, route, mutation, isOf: of },
      scope: scopes[right],
      policies: route?.policies ?? [
        `content.${right}`,
        ...(isForAdministrators ? ['content.administrate'] : []),
      ],
      run: recordedAs === undefined ? run : undoable(recordedAs, run, recordBatch),
    }
  })
}

/** What a bulk write has changed, and how to undo it; null if the caller cannot undo it. */
interface BulkAnswer {
  readonly count: number
  readonly ids: readonly number[]
  readonly batch: RecordedBatch | null
}

/** Runs a bulk write and records its changes so that it can be undone. */
function undoable(operation: BulkOperation, run: Run, recordBatch: BatchRecorder) {
  return async (request: WriteRequest, ...rest: readonly unknown[]): Promise<BulkAnswer> => {
    const { type, principal } = request
    const batch = recordBatch({ type, operation, principal })
    const changed = await run({ ...request, ...(batch && { annotations: batch.annotations }) }, ...rest)
    const ids = [...new Set((changed ?? rest[0]) as readonly number[])]
    return { count: ids.length, ids, batch: batch?.answer() ?? null }
  }
}

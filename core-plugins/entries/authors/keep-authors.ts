import type { Principal } from '../../foundation/http/http.ts'
import { repairWrite, type WriteStage } from '../content/content.ts'
import {
  createdByColumn,
  createdByNameColumn,
  maxNameLength,
  updatedByColumn,
  updatedByNameColumn,
} from './columns.ts'

/** Stores the author along with each write of an entry. */
export function keepAuthors(): WriteStage {
  return {
    name: 'authors: keep',
    matches: ({ type, operation }) => !type.system && operation !== 'delete',
    run(context, next) {
      const { operation, principal, additions, annotations } = context
      // A repair by the service does not change the author.
      if (annotations.has(repairWrite)) return next()
      const { actor, name } = authorOf(principal)
      additions.columns = {
        ...additions.columns,
        ...(operation === 'create' ? { [createdByColumn]: actor, [createdByNameColumn]: name } : {}),
        ...{ [updatedByColumn]: actor, [updatedByNameColumn]: name },
      }
      return next()
    },
  }
}

function authorOf(principal: Principal): { actor: string | null; name: string | null } {
  if (principal.kind === 'anonymous') return { actor: null, name: null }
  const name = principal.kind === 'token' ? principal.name : principal.username
  return { actor: `${principal.kind}:${principal.id}`, name: name.slice(0, maxNameLength) }
}

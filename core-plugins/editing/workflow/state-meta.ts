import { type SQL, sql } from 'drizzle-orm'
import { Type } from 'typebox'
import type { EntryMeta, RestrictedEntry, Restriction } from '../../entries/content/content.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { statesTable } from './tables.ts'
import { stateOf } from './transitions.ts'
import type { Workflow } from './workflow.ts'
import type { WorkflowStore } from './workflow-store.ts'

const { type: typeColumn, entryId, state } = statesTable.columns

/** The workflow states of entries. Most entries are still in the initial state and have no row. */
export function stateMeta(workflows: ReadonlyMap<string, Workflow>, store: WorkflowStore): EntryMeta {
  const workflowOf = ({ name }: ContentType) => workflows.get(name) as Workflow
  return {
    name: 'workflow_state',
    schema: Type.String(),
    matches: ({ name }) => workflows.has(name),
    async load(type, ids, queries) {
      const stored = await store.states(type.name, ids, queries)
      return new Map([...stored].map(([id, state]) => [id, stateOf(workflowOf(type), state).name]))
    },
    valueOfOthers: (type) => workflowOf(type).initialState.name,
    selection: {
      name: 'workflow_state',
      havingOneOf(type, values) {
        const { states, initialState } = workflowOf(type)
        const unknown = values.find((value) => !states.has(value))
        if (unknown !== undefined)
          return { problem: `${unknown} is not one of ${[...states.keys()].join(', ')}` }
        if (!values.includes(initialState.name)) return storedIn('in', type, [...new Set(values)])
        const others = [...states.keys()].filter((name) => !values.includes(name))
        return storedIn('not in', type, others)
      },
      havingNone: () => ({ shape: 'none', values: [], where: () => sql`1 = 0` }),
      order(type) {
        const { states, initialState } = workflowOf(type)
        const others = [...states.keys()].filter((name) => name !== initialState.name)
        return {
          shape: `state ${others.length}`,
          values: [type.name, ...others, initialState.name].map(textValue),
          of: (entry) =>
            sql`coalesce(${storedState(entry, others.length)}, ${entry.value(others.length + 1)})`,
        }
      },
    },
  }
}

const textValue = (value: string) => ({ kind: 'string', value }) as const

/** The entries in one of the stored states, or those in none of them. */
function storedIn(operator: 'in' | 'not in', type: ContentType, names: readonly string[]): Restriction {
  return {
    shape: `${operator} ${names.length}`,
    values: [type.name, ...names].map(textValue),
    where: (entry) => sql`${entry.column('id')} ${sql.raw(operator)} (select ${entryId} from ${statesTable}
      where ${isOfType(entry, names.length)})`,
  }
}

/** Null in the initial state, and in one that the schema no longer has. */
function storedState(entry: RestrictedEntry, count: number): SQL {
  return sql`(select ${state} from ${statesTable}
    where ${isOfType(entry, count)} and ${entryId} = ${entry.column('id')})`
}

/** The first value is the type; the following ones are states. */
function isOfType(entry: RestrictedEntry, count: number): SQL {
  const states = Array.from({ length: count }, (_, index) => entry.value(index + 1))
  const isNamed = count === 0 ? sql`1 = 0` : sql`${state} in (${sql.join(states, sql`, `)})`
  return sql`${typeColumn} = ${entry.value(0)} and ${isNamed}`
}

import type { Auth } from '../../accounts/auth/auth.ts'
import type { UniqueWaits } from '../../foundation/database/database.ts'
import { AppError, type Principal } from '../../foundation/http/http.ts'
import type { Attribute } from '../../foundation/schemas/schemas.ts'
import type { AnswerBudget } from './answer-budget.ts'
import type { ReferenceCheck } from './entry/entry-extensions.ts'
import type { EntryModel } from './entry/entry-model.ts'
import { assertVersion, nextUpdatedAt, versionColumn } from './entry/version.ts'
import type { EntryQuery } from './entry-query.ts'
import { compilePayload } from './payload/payload.ts'
import type { ReadDeps } from './read/read-deps.ts'
import type { Asked, Reader } from './read/reader.ts'
import type { SystemEntries } from './services/system-entries.ts'
import { createEntryStore } from './write/entry-store.ts'
import { HiddenLinks } from './write/hidden-links/hidden-links.ts'
import { ReferenceChecker } from './write/references.ts'
import { namedValues, storedChange } from './write/stored-change.ts'
import { keepingUnique } from './write/waiting-uniqueness.ts'
import { explainRemoveError, explainStoreError } from './write/write-errors.ts'

export type SystemDeps = ReadDeps & {
  readonly auth: Auth
  readonly uniqueWaits: UniqueWaits
  readonly checks: () => readonly ReferenceCheck[]
  readonly reader: Reader
  readonly answerBudget: () => AnswerBudget
}

/** See `StoredEntries.systemEntries`. */
export function createSystemEntries(
  model: EntryModel,
  ownFields: readonly string[],
  deps: SystemDeps,
): SystemEntries {
  const { type } = model
  const store = keepingUnique(createEntryStore(model, deps), model, deps)
  const references = new ReferenceChecker(deps)
  const hiddenLinks = new HiddenLinks(deps)
  const editable = [...type.attributes].filter(([name]) => !ownFields.includes(name))
  const checker = compilePayload({ ...type, attributes: new Map(editable) }, deps.schemas, {
    ignored: ownFields,
  })
  const defaults = compilePayload(
    { ...type, attributes: new Map(editable.map(withoutRequired)) },
    deps.schemas,
  )

  const update: SystemEntries['update'] = async (before, values, { tx, now }) => {
    const { columns, links } = storedChange(model, values)
    const versioned = { ...columns, [versionColumn]: nextUpdatedAt(now, before) }
    try {
      return await store.update(before, { columns: versioned, links }, tx)
    } catch (error) {
      throw explainStoreError(error, model, { references: new Map() })
    }
  }

  const asked = (query: string | EntryQuery, principal: Principal): Asked => ({
    query,
    principal,
    budget: deps.answerBudget(),
    recipient: undefined,
  })

  return {
    list: (query, principal) => deps.reader.list(model, asked(query, principal)),
    find: (id, query, principal) => deps.reader.find(model, id, asked(query, principal)),
    findMany: async (ids, { principal, fields, budget = deps.answerBudget() }) =>
      ids.length === 0
        ? []
        : deps.reader.findMany(model, ids, {
            ...{ principal, budget, recipient: undefined },
            shown: fields === undefined ? {} : { fields },
          }),
    async open(id, { tx, ifMatch }) {
      const entry = await store.load(id, tx)
      if (entry === undefined) throw AppError.notFound(`${type.name} ${id}`)
      assertVersion(ifMatch, entry)
      return entry
    },
    openMany: (ids, tx) => store.loadMany([...new Set(ids)], tx),
    async insert(values, { tx, now, uuid }) {
      const initial = defaults.forCreate({}, now)
      const own = storedChange(model, values)
      const identity = uuid === undefined || model.uuid === undefined ? {} : { [model.uuid.column]: uuid }
      const payload = { columns: { ...initial.columns, ...own.columns, ...identity }, links: own.links }
      const explain = (error: unknown) => explainStoreError(error, model, { references: new Map() })
      try {
        return await store.insert(payload, { now, tx, explain })
      } catch (error) {
        throw explain(error)
      }
    },
    update,
    async check(payload, { before, principal, tx, now }) {
      const checked =
        before === undefined
          ? checker.forCreate(payload, now)
          : checker.forUpdate(
              await hiddenLinks.keep(payload, { model, checker, before, principal, queries: tx }),
              before,
            )
      await references.checkAll(checked, { principal, queries: tx })
      return namedValues(model, checked)
    },
    async remove(entry, tx) {
      try {
        await store.remove(entry, tx)
      } catch (error) {
        throw explainRemoveError(error, model, entry.id)
      }
    },
  }
}

function withoutRequired([name, attribute]: [string, Attribute]): [string, Attribute] {
  return [name, { ...attribute, required: false }]
}

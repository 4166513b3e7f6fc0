import type { Auth } from '../../../accounts/auth/auth.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import {
  canonicalText,
  type EntryCompanion,
  type JudgedChange,
  type Section,
  type Value,
} from '../../../foundation/sections/sections.ts'
import { type Beside, companionsNamed } from './beside.ts'
import { entryForm } from './entry-form.ts'
import { EntryReader, type EntryReaderDeps, type EntryValue } from './entry-reader.ts'
import { rightsFor } from './entry-rights.ts'
import { type EntryVersionsDeps, entryVersions } from './entry-versions.ts'
import { sectionOfType } from './section-names.ts'

export interface ContentSectionDeps extends EntryReaderDeps, EntryVersionsDeps {
  readonly auth: Auth
  /** The companions of all types; complete once all plugins have booted. */
  readonly companions: () => readonly EntryCompanion[]
}

/** The entries of a type. */
export function contentSection(type: ContentType, deps: ContentSectionDeps): Section {
  const { auth, keys } = deps
  const reader = new EntryReader(type, deps)
  const versions = entryVersions(type, reader, deps)
  const companions = () => deps.companions().filter((companion) => companion.matches(type))
  return {
    get companions() {
      return companions()
    },
    name: sectionOfType(type.name),
    readingTakes: `to read ${type.name} with drafts`,
    mayRead: (principal) =>
      auth.mayContent(principal, type.name, 'read') &&
      (!type.options.draftAndPublish || auth.seesDrafts(principal, type.name)),
    async page(after, limit, beside = []) {
      const wanted = companionsNamed(companions(), beside)
      return versions.of(await keys.page(type, after, limit), wanted)
    },
    async find(wanted, { tx, beside = [], reader: asking } = {}) {
      const ids = await keys.idsOf(type, wanted, tx)
      const known = [...ids].map(([key, id]) => ({ key, id }))
      const hasAuthors = asking !== undefined && auth.seesDrafts(asking, type.name)
      return reader.items(known, { companions: companionsNamed(companions(), beside), hasAuthors, tx })
    },
    assertForm: entryForm(companions),
    *missingRights(principal, change) {
      for (const right of rightsFor(change)) {
        if (!auth.mayContent(principal, type.name, right)) yield `the right to ${right}`
      }
      if (change.action === 'put') yield* rightsMissingBeside(principal, type, { change, companions })
    },
  }
}

function* rightsMissingBeside(
  principal: Principal,
  type: ContentType,
  {
    change,
    companions,
  }: { readonly change: JudgedChange; readonly companions: () => readonly EntryCompanion[] },
): Iterable<string> {
  const besideIn = (value: Value | undefined): Beside => (value as EntryValue | undefined)?.beside ?? {}
  const [values, presents] = [besideIn(change.value), besideIn(change.present)]
  for (const companion of companions()) {
    const [value, present] = [values[companion.name], presents[companion.name]]
    if (canonicalText(value) === canonicalText(present)) continue
    yield* companion.missingRights(principal, type, { value, present })
  }
}

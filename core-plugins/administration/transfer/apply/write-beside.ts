import { setImmediate as otherWork } from 'node:timers/promises'
import type { Schemas } from '../../../foundation/schemas/schemas.ts'
import {
  type CompanionWrite,
  type CompanionWriter,
  canonicalText,
  type EntryCompanion,
  nameOf,
  type Section,
} from '../../../foundation/sections/sections.ts'
import type { LinePlace, PackageFile, PlacedChange } from '../package/package-file.ts'
import { companionsNamed } from '../sections/beside.ts'
import type { EntryKeys } from '../sections/entry-keys.ts'
import type { EntryValue } from '../sections/entry-reader.ts'
import { typeOfSection } from '../sections/section-names.ts'
import type { Outline } from './outline.ts'
import { portionsOf } from './present-items.ts'

export interface WriteBesideDeps {
  readonly schemas: Schemas
  readonly keys: EntryKeys
}

/** The entries of a package. */
export interface EntriesWritten {
  readonly file: PackageFile
  readonly sections: ReadonlyMap<string, Section>
  readonly outline: Outline
  readonly places: readonly LinePlace[]
}

/** Writes the companions of the entries of a package, after the entries. @throws AppError */
export async function writeBeside(
  deps: WriteBesideDeps,
  { file, sections, outline, places }: EntriesWritten,
  by: CompanionWriter,
): Promise<void> {
  const { beside = {} } = outline.header
  for await (const changes of portionsOf(file.at(places))) {
    const section = sections.get(changes[0]?.change.section ?? '')
    const companions = companionsNamed(section?.companions ?? [], beside[section?.name ?? ''] ?? [])
    for (const companion of companions) await writeOne(deps, companion, changes, by)
    await otherWork()
  }
}

async function writeOne(
  { schemas, keys }: WriteBesideDeps,
  companion: EntryCompanion,
  changes: readonly PlacedChange[],
  by: CompanionWriter,
): Promise<void> {
  const type = schemas.types.get(typeOfSection(changes[0]?.change.section ?? '') ?? '')
  if (type === undefined) return
  const wanted = changes.map(({ change: { key } }) => key)
  const ids = await keys.idsOf(type, wanted, by.tx)
  const presents = await companion.read(type, [...ids.values()], by.tx)
  const writes = changes.flatMap(({ change }): CompanionWrite[] => {
    const id = ids.get(change.key)
    if (id === undefined) return []
    const value = (change.value as EntryValue).beside?.[companion.name]
    const present = presents.get(id)
    const isSame = canonicalText(value) === canonicalText(present)
    return isSame ? [] : [{ id, name: nameOf(change), value, present }]
  })
  if (writes.length > 0) await companion.write(type, writes, by)
}

import { AppError, type Principal } from '../../../foundation/http/http.ts'
import type {
  ItemToPut,
  Section,
  SectionWrite,
  SectionWriter,
  TransferSection,
} from '../../../foundation/sections/sections.ts'
import type { LinePlace, PackageFile, PlacedChange } from '../package/package-file.ts'
import type { ReceivedFolder } from '../package/received-folder.ts'
import { isContributed } from '../sections/readable-section.ts'
import type { Outline } from './outline.ts'
import { portionsOf } from './present-items.ts'

/** The prepared changes of sections that plugins contribute. */
export interface ContributedChanges {
  /** Writes the sections that come before entries, or the others. */
  put(isBeforeContent: boolean, write: Omit<SectionWrite, 'isLast'>): Promise<void>
  /** Writes items again that refer to entries which exist now. */
  complete(write: Omit<SectionWrite, 'isLast'>): Promise<void>
  remove(isBeforeContent: boolean, write: Omit<SectionWrite, 'isLast'>): Promise<void>
  /** The received files that were used. */
  readonly files: ReadonlySet<string>
  /** Called if the package was not applied. Never rejects. */
  abandon(): Promise<void>
}

export interface ContributedDeps {
  readonly sections: ReadonlyMap<string, Section>
  readonly file: PackageFile
  readonly files: ReceivedFolder
  readonly principal: Principal
  readonly ip: string | undefined
}

interface OpenSection {
  readonly section: TransferSection
  readonly writer: SectionWriter
  readonly puts: readonly LinePlace[]
  readonly removals: readonly LinePlace[]
}

/** Lets all sections prepare their changes before the transaction. @throws AppError */
export async function beginContributed(outline: Outline, deps: ContributedDeps): Promise<ContributedChanges> {
  const open: OpenSection[] = []
  const used = new Set<string>()
  const abandon = async () => {
    for (const { writer } of open) await writer.abandon?.()
  }
  try {
    for (const section of deps.sections.values()) {
      if (!isContributed(section)) continue
      const puts = outline.puts.get(section.name) ?? []
      const removals = outline.removals.get(section.name) ?? []
      if (puts.length + removals.length === 0) continue
      open.push({
        section,
        puts,
        removals,
        writer: await begin(section, { puts, removals }, { ...deps, used }),
      })
    }
  } catch (error) {
    await abandon()
    throw error
  }
  return contributed(open, deps.file, { abandon, files: used })
}

async function begin(
  section: TransferSection,
  { puts, removals: removed }: Pick<OpenSection, 'puts' | 'removals'>,
  { file, files, principal, ip, used }: ContributedDeps & { readonly used: Set<string> },
) {
  const removals: string[] = []
  for await (const { change } of file.at(removed)) removals.push(change.key)
  return section.begin({
    ...{ principal, ip, removals },
    async *puts() {
      for await (const { change } of file.at(puts)) yield toPut(change)
    },
    async file(hash) {
      if (await files.isComplete(hash)) {
        used.add(hash)
        return files.pathOf(hash)
      }
      // Received bytes that do not match the hash are useless.
      await files.remove([hash])
      throw new AppError('CONFLICT', `the file ${hash} has not arrived whole: send it, and apply again`)
    },
  })
}

function contributed(
  open: readonly OpenSection[],
  file: PackageFile,
  rest: Pick<ContributedChanges, 'abandon' | 'files'>,
): ContributedChanges {
  const waiting = new Map<OpenSection, LinePlace[]>()

  async function putAll(each: OpenSection, places: readonly LinePlace[], write: SectionWrite) {
    const left: LinePlace[] = []
    for await (const portion of portionsOf(file.at(places))) {
      const items = portion.map(({ change }) => toPut(change))
      const late = new Set(await each.writer.put(items, write))
      left.push(...portion.filter(({ change: { key } }) => late.has(key)).map(placeOf))
    }
    waiting.set(each, left)
  }

  return {
    ...rest,
    async put(isBeforeContent, write) {
      for (const each of open.filter((one) => isBefore(one) === isBeforeContent)) {
        await putAll(each, each.puts, { ...write, isLast: false })
      }
    },
    async complete(write) {
      for (const [each, places] of [...waiting]) await putAll(each, places, { ...write, isLast: true })
    },
    async remove(isBeforeContent, write) {
      for (const each of [...open].reverse().filter((one) => isBefore(one) === isBeforeContent)) {
        for await (const portion of portionsOf(file.at(each.removals))) {
          const keys = portion.map(({ change: { key } }) => key)
          await each.writer.remove(keys, { ...write, isLast: true })
        }
      }
    },
  }
}

const isBefore = ({ section }: OpenSection) => section.isBeforeContent === true
const toPut = ({ key, value = {} }: PlacedChange['change']): ItemToPut => ({ key, value })
const placeOf = ({ offset, length, number }: PlacedChange): LinePlace => ({ offset, length, number })

import { nearest } from '../../../../kernel/index.ts'
import type { AttributeFile } from '../file-attribute.ts'
import { type FileProblem, inFile, type SchemaProblem } from '../files/file-problem.ts'
import { type ComponentDraft, type Drafts, originOf } from '../files/schema-source.ts'
import { pluginOffFor } from '../plugins/own-names.ts'
import { ofPluginOff, unknownTarget } from './check-relation.ts'

/** Options that an attribute inside a component cannot have, because items are stored in a JSON value. */
export function checkWithinComponent(file: AttributeFile, drafts: Drafts): FileProblem[] {
  const problems = Object.entries(impossible).flatMap(([at, message]) => {
    const value = (file as Readonly<Record<string, unknown>>)[at]
    const isIdle = value === undefined || value === false || value === 'SET NULL'
    return isIdle ? [] : [{ at, message, remedy: 'remove it' }]
  })
  return [...problems, ...(file.type === 'relation' ? unknownTarget(file, drafts) : [])]
}

const within = 'is not possible in a component'

const impossible: Readonly<Record<string, string>> = {
  unique: `${within}, whose items are stored inside entries`,
  mappedBy: `${within}: a relation in it is known on this side only`,
  inversedBy: `${within}: a relation in it is known on this side only`,
  onDelete: `${within}: the id of a deleted entry is left out there`,
}

/** Checks that the components that an attribute names are declared. Paths are relative to the attribute. */
export function checkComponentUse(file: AttributeFile, { components, switchedOff }: Drafts): FileProblem[] {
  return usedComponents(file).flatMap(({ at, uid }) => {
    if (components.has(uid)) return []
    const off = pluginOffFor(uid, switchedOff)
    if (off !== undefined) return [ofPluginOff(at, uid, off)]
    const meant = nearest(uid, components.keys())
    const remedy =
      meant === undefined ? `add components/${uid}.json, or correct it` : `did you mean ${meant}?`
    return [{ at, message: `names ${uid}, which no file declares`, remedy }]
  })
}

function usedComponents(file: AttributeFile): { at: string; uid: string }[] {
  if (file.type === 'component') return [{ at: 'component', uid: file.component }]
  if (file.type !== 'dynamicZone') return []
  return file.components.map((uid, index) => ({ at: `components.${index}`, uid }))
}

/** Components that contain themselves, directly or through others; each cycle is reported once. */
export function findComponentCycles({ components }: Drafts): SchemaProblem[] {
  const problems: SchemaProblem[] = []
  const done = new Set<string>()
  const visit = (uid: string, path: readonly string[]) => {
    const component = components.get(uid)
    if (component === undefined || done.has(uid)) return
    for (const [name, file] of Object.entries(component.content.attributes)) {
      for (const { uid: inner } of usedComponents(file)) {
        const start = [...path, uid].indexOf(inner)
        if (start === -1) visit(inner, [...path, uid])
        else problems.push(circle(component, name, [...path.slice(start), uid, inner]))
      }
    }
    done.add(uid)
  }
  for (const uid of components.keys()) visit(uid, [])
  return problems
}

function circle(component: ComponentDraft, name: string, uids: readonly string[]): SchemaProblem {
  return inFile(originOf(component, `attributes.${name}`), {
    at: `attributes.${name}`,
    message: `makes the component hold itself: ${uids.join(' → ')}`,
    remedy: 'leave one of them out; a relation to a content type can be circular',
  })
}

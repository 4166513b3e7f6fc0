import { type AttributeFile, fieldTypeOf } from '../file-attribute.ts'
import { type FileProblem, inFile, type SchemaProblem } from '../files/file-problem.ts'
import {
  type AttributeOwner,
  type ComponentDraft,
  type Drafts,
  originOf,
  type SchemaSource,
} from '../files/schema-source.ts'
import { checkComponentUse, checkWithinComponent, findComponentCycles } from './check-component.ts'
import { checkCondition } from './check-condition.ts'
import { checkIndexes } from './check-index.ts'
import {
  checkAttributeNames,
  checkComponentNames,
  checkTypeNames,
  findLinkTableClashes,
  findTypeNameClashes,
} from './check-names.ts'
import { checkOptions } from './check-options.ts'
import { checkRelation } from './check-relation.ts'
import { checkRenames } from './check-rename.ts'

/** All problems of content in the files; their shape has been checked before. */
export function checkDrafts(drafts: Drafts): SchemaProblem[] {
  const types = [...drafts.types.values()].flatMap((type) => problemsIn(type, checkType(type, drafts)))
  const components = [...drafts.components.values()].flatMap((component) =>
    problemsIn(component, checkComponentDraft(component, drafts)),
  )
  return [
    ...types,
    ...components,
    ...findTypeNameClashes(drafts),
    ...findLinkTableClashes(drafts),
    ...findComponentCycles(drafts),
  ]
}

function problemsIn(owner: AttributeOwner, problems: readonly FileProblem[]): SchemaProblem[] {
  return problems.map((problem) => inFile(originOf(owner, problem.at), problem))
}

function checkType(type: SchemaSource, drafts: Drafts): FileProblem[] {
  return [
    ...checkTypeNames(type),
    ...checkAttributeNames(type),
    ...checkOptions(type),
    ...checkIndexes(type, drafts.fieldTypes),
    ...checkRenames(type, 'type'),
    ...checkAttributes(type, (name, file) => [
      ...checkAnywhere(type, drafts)(name, file),
      ...(file.type === 'relation' ? checkRelation({ type, name, file, drafts }) : []),
    ]),
  ]
}

function checkComponentDraft(component: ComponentDraft, drafts: Drafts): FileProblem[] {
  return [
    ...checkComponentNames(component),
    ...checkAttributes(component, (name, file) => [
      ...checkAnywhere(component, drafts)(name, file),
      ...checkWithinComponent(file, drafts),
    ]),
    ...checkRenames(component, 'component'),
  ]
}

type AttributeCheck = (name: string, file: AttributeFile) => FileProblem[]

/** Checks that apply to attributes of both types and components. */
function checkAnywhere(owner: AttributeOwner, drafts: Drafts): AttributeCheck {
  return (name, file) => [
    ...(fieldTypeOf(file, drafts.fieldTypes).checkOptions?.(file) ?? []),
    ...checkCondition({ owner, name, file }, drafts.fieldTypes),
    ...checkComponentUse(file, drafts),
  ]
}

function checkAttributes({ content }: AttributeOwner, check: AttributeCheck): FileProblem[] {
  return Object.entries(content.attributes).flatMap(([name, file]) =>
    check(name, file).map((problem) => ({ ...problem, at: `attributes.${name}.${problem.at}` })),
  )
}

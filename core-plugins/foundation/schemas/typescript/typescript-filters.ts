import { type Attribute, holdsComponents, isReference, targetNameOf } from '../attribute.ts'
import { type OperatorName, textOperators, valueOperators } from '../filter-operators.ts'
import { operatorMember } from './typescript-filter-prelude.ts'
import type { TypeNames } from './typescript-names.ts'

/** The TypeScript type of the filters on an attribute. */
export function filterType(attribute: Attribute, names: TypeNames): string {
  if (isReference(attribute)) return `RelationFilter<${names.ofType(targetNameOf(attribute)).filters}>`
  if (attribute.type === 'json') return 'JsonFilter'
  if (attribute.type === 'component') {
    return `ComponentFilter<${names.ofComponent(attribute.component).filters}>`
  }
  if (holdsComponents(attribute)) {
    const blocks = attribute.components.map(
      (uid) => `${JSON.stringify(uid)}: ${names.ofComponent(uid).filters}`,
    )
    return `ZoneFilter<{ ${blocks.join('; ')} }>`
  }
  const { definition } = attribute
  const { operators } = definition.filter
  if (operators.length === 0) return 'PresenceFilter'
  if (includesAll(operators, textOperators)) return 'TextFilter'
  const value = definition.typescript(attribute)
  return includesAll(operators, valueOperators) ? `ValueFilter<${value}>` : filterOfSome(operators, value)
}

function includesAll(operators: readonly OperatorName[], wanted: readonly OperatorName[]): boolean {
  return wanted.every((name) => operators.includes(name))
}

/** For a field that supports only some operators. A plain value stands for `$eq`, and a list for `$in`. */
function filterOfSome(operators: readonly OperatorName[], value: string): string {
  const own = operators.map((name) => operatorMember(name, value)).join('; ')
  return [
    ...(operators.includes('$eq') ? [value] : []),
    ...(operators.includes('$in') ? [`(${value})[]`] : []),
    `(PresenceFilter & { ${own}; $not?: PresenceFilter & { ${own} } })`,
  ].join(' | ')
}

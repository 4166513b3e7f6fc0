import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { button, element } from './element.ts'

/** Shows the types of the schema, one at a time. */
export interface Docs {
  readonly host: HTMLElement
  /** Undefined if there is no schema, for the given reason. */
  useSchema(schema: GraphQLSchema | undefined, reason?: string): void
  /** Shows a type and scrolls to one of its fields. */
  show(type: string | undefined, field?: string): void
}

/** More results than anybody reads. */
const mostFound = 60

export function createDocs(): Docs {
  let schema: GraphQLSchema | undefined
  let problem = 'The schema is being read …'
  /** The types that were opened before the present one. */
  let trail: string[] = []
  const search = element('input', {
    type: 'search',
    placeholder: 'Search types and fields',
    'aria-label': 'Search the schema',
  })
  const body = element('div', { class: 'docs-body' })
  search.addEventListener('input', () => draw())

  function open(name: string, field?: string) {
    if (trail.at(-1) !== name) trail.push(name)
    search.value = ''
    draw()
    const target =
      field === undefined ? null : body.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`)
    target?.scrollIntoView({ block: 'center' })
    target?.classList.add('is-target')
  }

  function draw() {
    if (schema === undefined) return body.replaceChildren(element('p', { class: 'muted' }, problem))
    const word = search.value.trim().toLowerCase()
    if (word !== '') return body.replaceChildren(...found(schema, word, open))
    const type = schema.getType(trail.at(-1) ?? '')
    if (type === undefined) return body.replaceChildren(...roots(schema, open))
    const back = button('Back', goBack, { class: 'small' })
    body.replaceChildren(
      element('div', { class: 'docs-title' }, back, element('h2', {}, type.name)),
      ...typeParts(type, open),
    )
  }

  function goBack() {
    trail.pop()
    draw()
  }

  draw()
  return {
    host: element('div', { class: 'docs' }, search, body),
    useSchema(next, reason) {
      schema = next
      problem = reason ?? problem
      trail = trail.filter((name) => next?.getType(name) !== undefined)
      draw()
    },
    show(type, field) {
      if (type !== undefined) open(type.replace(/[![\]]/g, ''), field)
    },
  }
}

type Open = (type: string, field?: string) => void

function roots(schema: GraphQLSchema, open: Open): HTMLElement[] {
  const operations = {
    Query: schema.getQueryType(),
    Mutation: schema.getMutationType(),
    Subscription: schema.getSubscriptionType(),
  }
  return Object.values(operations).flatMap((type) =>
    type ? [element('section', {}, element('h2', {}, type.name), ...fieldsOf(type, open))] : [],
  )
}

function found(schema: GraphQLSchema, word: string, open: Open): HTMLElement[] {
  const matches: HTMLElement[] = []
  for (const type of Object.values(schema.getTypeMap())) {
    if (matches.length > mostFound) break
    if (type.name.startsWith('__')) continue
    if (type.name.toLowerCase().includes(word)) matches.push(element('li', {}, typeLink(type, open)))
    for (const field of namesOfFields(type)) {
      if (!field.toLowerCase().includes(word)) continue
      matches.push(
        element(
          'li',
          {},
          button(`${type.name}.${field}`, () => open(type.name, field), { class: 'link' }),
        ),
      )
    }
  }
  if (matches.length === 0) return [element('p', { class: 'muted' }, 'Nothing has this in its name.')]
  return [element('ul', { class: 'found' }, ...matches.slice(0, mostFound))]
}

const namesOfFields = (type: GraphQLNamedType): string[] =>
  isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : []

function typeParts(type: GraphQLNamedType, open: Open): HTMLElement[] {
  const about = described(type.description)
  if (isEnumType(type)) {
    const values = type
      .getValues()
      .map(({ name, description }) => element('li', {}, element('code', {}, name), ...described(description)))
    return [...about, element('ul', { class: 'fields' }, ...values)]
  }
  if (isUnionType(type)) {
    const types = type.getTypes().map((each) => element('li', {}, typeLink(each, open)))
    return [...about, element('ul', { class: 'fields' }, ...types)]
  }
  return [...about, ...fieldsOf(type, open)]
}

function fieldsOf(type: GraphQLNamedType, open: Open): HTMLElement[] {
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return []
  const fields = Object.values<GraphQLField<unknown, unknown> | GraphQLInputField>(type.getFields())
  return [element('ul', { class: 'fields' }, ...fields.map((field) => fieldItem(field, open)))]
}

function fieldItem(field: GraphQLField<unknown, unknown> | GraphQLInputField, open: Open): HTMLElement {
  const { name, type, description, deprecationReason } = field
  const args = 'args' in field ? field.args : []
  const head = element(
    'div',
    {},
    element('code', { class: 'field' }, name),
    ': ',
    typeText(type.toString(), getNamedType(type), open),
  )
  const parts = [head, ...described(description)]
  if (deprecationReason) parts.push(element('p', { class: 'muted' }, `Deprecated: ${deprecationReason}`))
  if (args.length > 0)
    parts.push(element('ul', { class: 'args' }, ...args.map((each) => argument(each, open))))
  return element('li', { 'data-field': name }, ...parts)
}

const argument = ({ name, type, description }: GraphQLArgument, open: Open) =>
  element(
    'li',
    {},
    ...[
      element('code', {}, name),
      ': ',
      typeText(type.toString(), getNamedType(type), open),
      ...described(description),
    ],
  )

/** `[Article!]!`, where the name links to the type. */
function typeText(text: string, type: GraphQLNamedType, open: Open): HTMLElement {
  const [before = '', after = ''] = text.split(type.name)
  return element('code', {}, before, typeLink(type, open), after)
}

const typeLink = ({ name }: GraphQLNamedType, open: Open) => button(name, () => open(name), { class: 'link' })

/** Texts between backticks are shown as code. */
const described = (text: string | null | undefined): HTMLElement[] => {
  if (!text) return []
  const parts = text.split('`').map((part, index) => (index % 2 === 0 ? part : element('code', {}, part)))
  return [element('p', { class: 'muted' }, ...parts)]
}

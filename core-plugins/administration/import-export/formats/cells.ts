import { isObject } from '../../../../kernel/index.ts'
import {
  type Attribute,
  type ContentType,
  columnOf,
  isReference,
  isToMany,
  type Schemas,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'

import { localizationOf } from '../imports/read-record.ts'
import { unguardFormula } from './formulas.ts'

type Attributes = ReadonlyMap<string, Attribute>

/** Separates the keys of several entries in one cell. */
export const keySeparator = '|'

/**
 * Makes a record of the cells of a row. `seo.title` is an attribute of a component, `country.cca2` the natural key of a relation;
 * zones, repeatable components and JSON are JSON. An empty cell is null.
 */
export function recordOfCells(
  columns: readonly string[],
  cells: readonly string[],
  type: ContentType,
  schemas: Schemas,
): Record<string, unknown> {
  const record: Record<string, unknown> = Object.create(null)
  for (const [index, column] of columns.entries()) {
    const cell = unguardFormula(cells[index] ?? '')
    const isVersion = column === localizationOf && type.options.i18n.enabled
    if (isVersion) record[column] = cell === '' ? null : jsonOfCell(cell)
    else put(record, column.split('.'), cell, { attributes: type.attributes, schemas })
  }
  return { ...record }
}

interface Place {
  readonly attributes: Attributes
  readonly schemas: Schemas
}

function put(holder: Record<string, unknown>, path: readonly string[], cell: string, place: Place): void {
  const [name = '', ...rest] = path
  const attribute = place.attributes.get(name)
  if (rest.length === 0) {
    holder[name] = valueOfCell(attribute, cell)
    return
  }
  const inner =
    attribute?.type === 'component' ? place.schemas.components.get(attribute.component) : undefined
  if (inner !== undefined) {
    // A component whose cells are all empty is null.
    holder[name] ??= cell === '' ? null : {}
    if (cell === '' && holder[name] === null) return
    put(holder[name] as Record<string, unknown>, rest, cell, { ...place, attributes: inner.attributes })
  } else holder[name] = withKey(holder[name], keyOfCell(attribute, rest.join('.'), cell, place.schemas))
}

/** A key may be spread over two columns: `page.slug` and `page.locale`. */
function withKey(known: unknown, key: unknown): unknown {
  const isPart = isObject(known) && isObject(key)
  return isPart ? { ...known, ...key } : (key ?? known ?? null)
}

function keyOfCell(attribute: Attribute | undefined, name: string, cell: string, schemas: Schemas): unknown {
  const isMany = attribute !== undefined && isToMany(attribute)
  if (cell === '') return isMany ? [] : null
  const target = isReference(attribute) ? schemas.allTypes.get(targetNameOf(attribute)) : undefined
  const keyOf = (text: string) => ({ [name]: valueOfCell(target?.attributes.get(name), text) })
  return isMany ? cell.split(keySeparator).map(keyOf) : keyOf(cell)
}

function valueOfCell(attribute: Attribute | undefined, cell: string): unknown {
  if (cell === '') return null
  if (attribute === undefined) return cell
  if (isReference(attribute)) return idsOfCell(attribute, cell)
  if (isJsonCell(attribute)) return jsonOfCell(cell)
  switch (columnOf(attribute)?.kind) {
    case 'integer':
    case 'bigint':
    case 'decimal':
      return numberOfCell(cell)
    case 'boolean':
      return booleans.get(cell.toLowerCase()) ?? cell
    default:
      return cell
  }
}

/** Whether the values of an attribute are written as JSON, with texts in quotes: without them, `1e5` would be a number. */
export function isJsonCell(attribute: Attribute | undefined): boolean {
  if (attribute === undefined || isReference(attribute)) return false
  const kind = columnOf(attribute)?.kind
  return kind === 'json' || kind === 'point'
}

const booleans = new Map<string, boolean>([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
])

/** Numbers that a double does not hold exactly stay texts, which are accepted too. */
function numberOfCell(cell: string): unknown {
  const number = Number(cell)
  return Number.isFinite(number) && String(number) === cell ? number : cell
}

function idsOfCell(attribute: Attribute, cell: string): unknown {
  if (/^\s*[[{]/.test(cell)) return jsonOfCell(cell)
  if (!isToMany(attribute)) return numberOfCell(cell)
  return cell.split(/[,|]/).map((each) => numberOfCell(each.trim()))
}

/** Reads a cell as JSON. Invalid JSON is a text, and so is a number that would lose digits. */
function jsonOfCell(cell: string): unknown {
  if (/^-?\d+$/.test(cell)) return numberOfCell(cell)
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

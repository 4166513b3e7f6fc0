import { type TSchema, type TSchemaOptions, Type } from 'typebox'
import { isObject } from '../../../kernel/index.ts'
import { type SettingTier, settingTiers } from '../../foundation/config/config.ts'

/** One field of a `configSchema`, in the specification's notation, which is valid JSON. */
export interface ConfigField {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'string[]' | 'json'
  readonly label: string
  readonly description?: string
  /** Without a default, the value is undefined until it is set. */
  readonly default?: unknown
  /** Who may see and change it, as with any setting; default `runtime`. */
  readonly tier?: SettingTier
  /** For an `integer` or `number`. */
  readonly min?: number
  readonly max?: number
  /** Maximum length of a `string`, or of each item of a `string[]`. */
  readonly maxLength?: number
  /** The only allowed values of a `string`, or of the items of a `string[]`. */
  readonly enum?: readonly string[]
}

/** Converts it to TypeBox, which everything else works with. */
export function schemaOfField({
  type,
  label,
  min,
  max,
  maxLength,
  enum: allowed,
  ...rest
}: ConfigField): TSchema {
  const options = { ...rest, title: label }
  const bounds = {
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  }
  const length = maxLength === undefined ? {} : { maxLength }
  const text = (more: TSchemaOptions) =>
    allowed === undefined ? Type.String({ ...more, ...length }) : Type.Enum([...allowed], more)
  switch (type) {
    case 'string':
      return text(options)
    case 'integer':
      return Type.Integer({ ...options, ...bounds })
    case 'number':
      return Type.Number({ ...options, ...bounds })
    case 'boolean':
      return Type.Boolean(options)
    case 'string[]':
      return Type.Array(text({}), options)
    case 'json':
      return Type.Unknown(options)
  }
}

const types = ['string', 'integer', 'number', 'boolean', 'string[]', 'json']
const keys = ['type', 'label', 'description', 'default', 'tier', 'min', 'max', 'maxLength', 'enum']

/** Returns everything that is wrong with a field except its default; `path` is its name in messages. */
export function fieldProblems(path: string, field: unknown): string[] {
  if (!isObject(field)) return [`${path} must be an object with type and label`]
  const { type, label, description, tier, min, max, maxLength, enum: allowed } = field
  const checks: [boolean, string][] = [
    [types.includes(String(type)), `type must be one of ${types.join(', ')}`],
    [typeof label === 'string' && label !== '', 'label must be a text for people'],
    [description === undefined || typeof description === 'string', 'description must be a text'],
    [isTier(tier), `tier must be one of ${settingTiers.join(', ')}`],
    [
      [min, max].every((bound) => bound === undefined || Number.isFinite(bound)),
      'min and max must be numbers',
    ],
    [maxLength === undefined || Number.isSafeInteger(maxLength), 'maxLength must be a whole number'],
    [allowed === undefined || isListOfTexts(allowed), 'enum must be a list of texts'],
    ...Object.keys(field).map((key): [boolean, string] => [keys.includes(key), `has no property ${key}`]),
  ]
  return checks.filter(([isRight]) => !isRight).map(([, message]) => `${path} ${message}`)
}

/** Also true if nothing is specified. */
export function isTier(tier: unknown): boolean {
  return tier === undefined || settingTiers.some((each) => each === tier)
}

const isListOfTexts = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')

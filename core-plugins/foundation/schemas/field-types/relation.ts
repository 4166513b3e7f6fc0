import { Type } from 'typebox'
import type { AttributeBase, OptionsOf, ReferenceFieldType } from '../field-type.ts'
import { compact, someText } from './options.ts'

/** An attribute that refers to entries of a type. */
export interface RelationAttribute extends AttributeBase {
  readonly type: 'relation'
  readonly definition: ReferenceFieldType
  readonly relation: 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany'
  /** Singular name of the target type. */
  readonly target: string
  /** The owning side holds the foreign key or the link table; the inverse side has `mappedBy`. */
  readonly side: 'owning' | 'inverse'
  /** True if the value is an array of ids. */
  readonly many: boolean
  readonly mappedBy?: string
  readonly inversedBy?: string
  readonly onDelete: 'CASCADE' | 'SET NULL' | 'RESTRICT'
}

const options = {
  relation: Type.Enum(['oneToOne', 'oneToMany', 'manyToOne', 'manyToMany']),
  target: Type.String({
    description: 'Singular name of a content type, or user, media, media-folder, role.',
  }),
  mappedBy: someText('On the inverse side: the attribute of the target that owns the relation.'),
  inversedBy: someText('On the owning side: the attribute of the target that shows the relation from there.'),
  onDelete: Type.Optional(
    Type.Enum(['CASCADE', 'SET NULL', 'RESTRICT'], {
      description:
        'What happens here when the related entry is deleted. SET NULL, or RESTRICT where a value is required.',
    }),
  ),
}

export const relationType = {
  name: 'relation',
  shape: 'reference',
  description: 'Other entries.',
  options,
  complete(file, { required, inverseOnDelete }) {
    const { relation, target, mappedBy, inversedBy } = file
    const many = relation === 'oneToMany' || relation === 'manyToMany'
    // Deleting the target would leave an entry without a required value.
    const fallback = required && !many ? 'RESTRICT' : 'SET NULL'
    const side = mappedBy === undefined ? 'owning' : 'inverse'
    const onDelete = file.onDelete ?? inverseOnDelete ?? fallback
    return compact({ relation, target, side, many, mappedBy, inversedBy, onDelete })
  },
} as const satisfies ReferenceFieldType<OptionsOf<typeof options>>

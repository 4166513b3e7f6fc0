import { useState } from 'react'
import type { EntryComment, PersonName } from '../../../../../../client/admin.ts'
import { formFieldsOf } from '../../content/entry/form/form-fields.ts'
import { labelOf } from '../../content/schema/label.ts'
import { isSameValue } from '../../content/schema/same-value.ts'
import { useAccess } from '../../ground/access/access.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { Select } from '../../ground/kit/field/select.tsx'
import { TextArea } from '../../ground/kit/field/text-field.tsx'
import { Icon } from '../../ground/kit/icon/icon.tsx'
import classes from './discussion.module.css'
import { type CommentDraft, keptComment } from './kept-comment.ts'
import { PersonSearch } from './person-search.tsx'
import { commentsPath } from './use-comments.ts'
import { useDiscussionWrite } from './use-discussion-write.ts'

const longest = 10_000

export interface CommentFormProps {
  readonly type: DescribedType
  readonly id: number
  /** The comment to reply to. */
  readonly parent?: EntryComment
  /** The comment to edit. */
  readonly edited?: EntryComment
  readonly onDone?: () => void
}

/** A form for a new comment, a reply, or an edited comment. */
export function CommentForm({ type, id, parent, edited, onDone }: CommentFormProps) {
  const place = { userId: useAccess().user.id, type: type.name, id, parent, edited }
  const empty: CommentDraft = { body: edited?.body ?? '', field: '', mentions: edited?.mentions ?? [] }
  const [draft, setDraft] = useState(() => keptComment.read(place) ?? empty)
  const { body, field, mentions } = draft
  const { mutate, isPending } = useDiscussionWrite(type.name, id)
  const isNew = parent === undefined && edited === undefined

  function change(part: Partial<CommentDraft>) {
    const next = { ...draft, ...part }
    setDraft(next)
    if (isSameValue(next, empty)) keptComment.forget(place)
    else keptComment.write(place, next)
  }

  function finish() {
    setDraft(empty)
    keptComment.forget(place)
    onDone?.()
  }

  function send() {
    const path = commentsPath(type.name, id)
    const said = { body: body.trim(), mentions: mentions.map((person) => person.id) }
    const about = { parent: parent?.id ?? null, field: parent?.field ?? (field === '' ? null : field) }
    const write =
      edited === undefined
        ? ({ method: 'POST', path, body: { ...said, ...about } } as const)
        : ({ method: 'PUT', path: `${path}/${edited.id}`, body: said } as const)
    mutate(write, { onSuccess: finish })
  }

  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <TextArea
        label={t(labelKeyOf(parent, edited))}
        value={body}
        maxLength={longest}
        autoFocus={!isNew}
        onChange={(text) => change({ body: text })}
      />
      {isNew && (
        <Select
          label={t('discussion.about')}
          placeholder={t('discussion.wholeEntry')}
          value={field}
          onChange={(name) => change({ field: name })}
          options={formFieldsOf(type).map((each) => ({ value: each.name, label: labelOf(each) }))}
        />
      )}
      <Mentions mentions={mentions} onChange={(people) => change({ mentions: people })} />
      <div className={classes.actions}>
        {onDone !== undefined && (
          <Button size="s" look="plain" onPress={finish}>
            {t('kit.cancel')}
          </Button>
        )}
        <Button size="s" type="submit" isPending={isPending} isDisabled={body.trim() === ''}>
          {t(edited === undefined ? 'discussion.send' : 'discussion.saveEdit')}
        </Button>
      </div>
    </form>
  )
}

function labelKeyOf(parent: EntryComment | undefined, edited: EntryComment | undefined) {
  if (edited !== undefined) return 'discussion.editLabel'
  return parent === undefined ? 'discussion.newLabel' : 'discussion.answerLabel'
}

interface MentionsProps {
  readonly mentions: readonly PersonName[]
  readonly onChange: (mentions: readonly PersonName[]) => void
}

/** The maximum number of people mentioned in a comment. */
const mostMentions = 20

function Mentions({ mentions, onChange }: MentionsProps) {
  return (
    <>
      {mentions.length > 0 && (
        <ul className={classes.chips} aria-label={t('discussion.mentioned')}>
          {mentions.map((person) => (
            <li key={person.id}>
              <button
                type="button"
                className={classes.chip}
                aria-label={t('discussion.removeMention', { name: person.username })}
                onClick={() => onChange(mentions.filter(({ id }) => id !== person.id))}
              >
                @{person.username}
                <Icon name="x" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {mentions.length < mostMentions && (
        <PersonSearch
          label={t('discussion.mention')}
          taken={mentions.map(({ id }) => id)}
          onChoose={(person) => onChange([...mentions, person])}
        />
      )}
    </>
  )
}

import { useState } from 'react'
import { maxCommentLength } from '../../content/schema/comment-length.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Confirm } from '../../ground/kit/dialog/dialog.tsx'
import { TextArea } from '../../ground/kit/field/text-field.tsx'

export interface MoveDialogProps {
  /** What the entry is called. */
  readonly entry: string
  /** What the transition is called. */
  readonly label: string
  /** The state that it leads to. */
  readonly state: string
  readonly onMove: (comment: string) => void
  readonly onClose: () => void
}

/** Asks for a word to whoever takes over, before an entry moves on. */
export default function MoveDialog({ entry, label, state, onMove, onClose }: MoveDialogProps) {
  const [comment, setComment] = useState('')
  return (
    <Confirm
      title={label}
      isOpen
      isUnsaved={comment.trim() !== ''}
      onClose={onClose}
      action={label}
      onConfirm={() => onMove(comment.trim())}
    >
      <p>{t('board.moveText', { entry, state })}</p>
      <TextArea
        label={t('board.comment')}
        help={t('board.commentHelp')}
        value={comment}
        maxLength={maxCommentLength}
        autoFocus
        onChange={setComment}
      />
    </Confirm>
  )
}

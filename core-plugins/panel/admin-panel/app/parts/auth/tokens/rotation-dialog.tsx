import { useState } from 'react'
import type { ApiToken, IssuedToken } from '../../../../../../../client/admin.ts'
import { admin } from '../../../ground/api/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Select } from '../../../ground/kit/field/select.tsx'
import { FormDialog } from '../../../ground/kit/form/form-dialog.tsx'
import { useForm } from '../../../ground/kit/form/use-form.ts'
import { accountProblems } from '../account-problems.ts'
import { endOf, lifetimesFromNow } from './lifetimes.ts'
import { resource } from './token-resource.ts'

interface RotationDialogProps {
  readonly token: ApiToken
  readonly onIssued: (token: IssuedToken) => void
  readonly onClose: () => void
}

const atOnce = '0'

/** Replaces the value of a token; the former value ends at once or remains valid for a while. */
export function RotationDialog({ token, onIssued, onClose }: RotationDialogProps) {
  const [lifetimes] = useState(lifetimesFromNow)
  const form = useForm({
    initial: { graceMinutes: '1440', expiresAt: '' },
    send: (values) => issue(token.id, values),
    refreshes: [resource.key],
    onDone(issued) {
      onClose()
      onIssued(issued)
    },
    problemTexts: accountProblems,
  })
  const { values, input } = form
  return (
    <FormDialog
      form={form}
      title={t('people.tokens.rotateTitle', { name: token.name })}
      action={t('people.tokens.rotate')}
      onClose={onClose}
    >
      <p>{t('people.tokens.rotateText')}</p>
      <Select
        label={t('people.tokens.grace')}
        help={t(values.graceMinutes === atOnce ? 'people.tokens.atOnceHelp' : 'people.tokens.graceHelp')}
        options={graces()}
        {...input('graceMinutes')}
      />
      {values.graceMinutes !== atOnce && (
        <Select
          label={t('people.tokens.lifetime')}
          placeholder={t('people.tokens.sameEnd')}
          options={lifetimes}
          {...input('expiresAt')}
        />
      )}
    </FormDialog>
  )
}

interface RotationValues {
  readonly graceMinutes: string
  readonly expiresAt: string
}

function issue(id: number, { graceMinutes, expiresAt }: RotationValues): Promise<IssuedToken> {
  if (graceMinutes === atOnce) return admin.apiTokens.regenerate(id)
  const end = expiresAt === '' ? {} : { expiresAt: endOf(expiresAt) }
  return admin.apiTokens.rotate(id, { graceMinutes: Number(graceMinutes), ...end })
}

const graces = () => [
  { value: atOnce, label: t('people.tokens.atOnce') },
  { value: '60', label: t('people.tokens.hours', { count: 1 }) },
  { value: '1440', label: t('people.tokens.graceDays', { count: 1 }) },
  { value: '10080', label: t('people.tokens.graceDays', { count: 7 }) },
]

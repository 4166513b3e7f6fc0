import { useQuery } from '@tanstack/react-query'
import type { Webhook } from '../../../../../../client/admin.ts'
import { api } from '../../ground/api/client.ts'
import { useContentTypes } from '../../ground/api/content-types.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Checkbox } from '../../ground/kit/checkbox/checkbox.tsx'
import { CheckboxList } from '../../ground/kit/checkbox/checkbox-list.tsx'
import { TextArea, TextField } from '../../ground/kit/field/text-field.tsx'
import { Form } from '../../ground/kit/form/form.tsx'
import { useForm } from '../../ground/kit/form/use-form.ts'
import { headersFromText, headersToText, wrongHeaderLine } from './header-text.ts'
import { SecretInput } from './secret-input.tsx'
import { webhooksKey, webhooksPath } from './webhook.ts'

interface WebhookFormProps {
  /** The one to edit; undefined for a new one. */
  readonly webhook?: Webhook
  readonly action: string
  readonly onDone: (webhook: Webhook) => void
}

/** The form for a webhook. */
export function WebhookForm({ webhook, action, onDone }: WebhookFormProps) {
  const form = useForm({
    initial: valuesOf(webhook),
    send: (values) => send(values, webhook),
    onDone,
  })
  const { values, set, input, problemOf } = form
  const wrongLine = wrongHeaderLine(values.headers)
  return (
    <Form form={form} action={action}>
      <TextField label={t('operations.webhooks.name')} {...input('name')} maxLength={255} isRequired />
      <TextField
        label={t('operations.webhooks.url')}
        help={t('operations.webhooks.urlHelp')}
        type="url"
        {...input('url')}
        maxLength={2000}
        isRequired
      />
      <EventChoice form={form} />
      <TypeChoice form={form} />
      <SecretInput
        value={values.secret}
        isKept={webhook?.hasSecret ?? false}
        onChange={(secret) => set('secret', secret)}
        problem={problemOf('secret')}
      />
      <TextArea
        label={t('operations.webhooks.headers')}
        help={t('operations.webhooks.headersHelp')}
        value={values.headers}
        onChange={(headers) => set('headers', headers)}
        problem={
          wrongLine === undefined
            ? problemOf('headers')
            : t('operations.webhooks.headersWrong', { line: wrongLine })
        }
      />
      <Checkbox isSelected={values.enabled} onChange={(enabled) => set('enabled', enabled)}>
        {t('operations.webhooks.enabled')}
      </Checkbox>
    </Form>
  )
}

type Values = ReturnType<typeof valuesOf>

interface ChoiceProps {
  readonly form: ReturnType<typeof useForm<Values, Webhook>>
}

/** A choice of events; chosen events of disabled plugins stay, but cannot be newly chosen. */
function EventChoice({ form: { values, set, problemOf } }: ChoiceProps) {
  const { data: events = [] } = useQuery({
    queryKey: [webhooksKey, 'events'],
    queryFn: ({ signal }) =>
      api.send<readonly { readonly name: string }[]>('GET', `${webhooksPath}/events`, { signal }),
  })
  const names = [...new Set([...events.map(({ name }) => name), ...values.events])]
  return (
    <CheckboxList
      label={t('operations.webhooks.events')}
      options={names.map((name) => ({ value: name, label: name }))}
      chosen={values.events}
      onChange={(chosen) => set('events', chosen)}
      problem={problemOf('events')}
    />
  )
}

function TypeChoice({ form: { values, set, problemOf } }: ChoiceProps) {
  const types = (useContentTypes() ?? []).filter(({ system }) => !system)
  const known = types.map(({ name, info }) => ({ value: name, label: info.displayName }))
  const others = values.content_types.filter((name) => !types.some((type) => type.name === name))
  return (
    <CheckboxList
      label={t('operations.webhooks.types')}
      help={t('operations.webhooks.typesHelp')}
      options={[...known, ...others.map((name) => ({ value: name, label: name }))]}
      chosen={values.content_types}
      onChange={(chosen) => set('content_types', chosen)}
      problem={problemOf('content_types')}
    />
  )
}

function valuesOf(webhook: Webhook | undefined) {
  const { name = '', url = '', enabled = true, events = [] as readonly string[] } = webhook ?? {}
  return {
    ...{ name, url, enabled, events, secret: '' },
    content_types: webhook?.content_types ?? [],
    headers: headersToText(webhook?.headers ?? {}),
  }
}

/** Saves the webhook; an empty secret leaves the present one. */
function send({ headers, secret, ...values }: Values, webhook: Webhook | undefined) {
  const line = wrongHeaderLine(headers)
  if (line !== undefined) throw new Error(t('operations.webhooks.headersWrong', { line }))
  const body = { ...values, headers: headersFromText(headers), ...(secret === '' ? {} : { secret }) }
  return webhook === undefined
    ? api.send<Webhook>('POST', webhooksPath, { body })
    : api.send<Webhook>('PUT', `${webhooksPath}/${webhook.id}`, { body })
}

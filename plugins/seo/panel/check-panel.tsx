import { api, Badge, Skeleton, useEntry, useField, useQuery } from 'mortise/panel'
import classes from './check-panel.module.css'
import { t } from './texts.ts'

interface Check {
  readonly fields: readonly { readonly field: string; readonly limit: number }[]
}

/** What a search engine would show, and whether it fits, while one types. */
export function CheckPanel() {
  const { type, id } = useEntry()
  const { data, error } = useQuery({
    queryKey: ['seo', 'check', type.name, id],
    queryFn: ({ signal }) => api.send<Check>('GET', `/x/seo/check/${type.name}/${id}`, { signal }),
    enabled: id !== undefined,
  })
  if (id === undefined) return <p>{t('saveFirst')}</p>
  if (error !== null) return <p>{error.message}</p>
  if (data === undefined) return <Skeleton />
  if (data.fields.length === 0) return <p>{t('none')}</p>
  const places = [...new Set(data.fields.map(({ field }) => field.replace(/meta(Title|Description)$/, '')))]
  return (
    <>
      {places.map((place) => (
        <Preview key={place} place={place} />
      ))}
      <ul className={classes.fields}>
        {data.fields.map(({ field, limit }) => (
          <Field key={field} path={field} limit={limit} />
        ))}
      </ul>
    </>
  )
}

/** The entry as a search engine lists it. */
function Preview({ place }: { readonly place: string }) {
  const title = useField<string>(`${place}metaTitle`).value
  const description = useField<string>(`${place}metaDescription`).value
  return (
    <div className={classes.preview}>
      <p className={classes.title}>{textOf(title) || t('noTitle')}</p>
      <p className={classes.description}>{textOf(description) || t('noDescription')}</p>
    </div>
  )
}

function Field({ path, limit }: { readonly path: string; readonly limit: number }) {
  const text = textOf(useField(path).value)
  const [tone, word] = rate(text, limit)
  return (
    <li className={classes.field}>
      <span className={classes.name}>{path.split('.').at(-1)}</span>
      <Badge tone={tone}>{t(word)}</Badge>
      <span className={classes.length}>{t('length', { length: text.length, limit })}</span>
    </li>
  )
}

function rate(text: string, limit: number) {
  if (text.trim() === '') return ['warning', 'empty'] as const
  return text.length > limit ? (['danger', 'tooLong'] as const) : (['success', 'good'] as const)
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

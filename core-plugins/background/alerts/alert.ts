import { Type } from 'typebox'
import { type RecordOf, strict, timestampSchema } from '../../foundation/http/http.ts'

const severities = ['info', 'warning', 'critical'] as const
const statuses = ['open', 'acknowledged', 'resolved'] as const

/** The severity of an alert: `critical` ones stop part of the service. */
export type AlertSeverity = (typeof severities)[number]

/** The status of an alert: open, acknowledged by an administrator, or resolved. */
export type AlertStatus = (typeof statuses)[number]

const oneOf = <Value extends string>(values: readonly Value[]) =>
  Type.Unsafe<Value>(Type.Union(values.map((value) => Type.Literal(value))))

export const severitySchema = oneOf(severities)
export const statusSchema = oneOf(statuses)

/** An alert as the API shows it. */
export const alertSchema = Type.Object(
  {
    id: Type.Integer(),
    kind: Type.String(),
    severity: severitySchema,
    message: Type.String(),
    details: Type.Unknown(),
    status: statusSchema,
    count: Type.Integer({ description: 'How often it was raised' }),
    first_seen_at: timestampSchema,
    last_seen_at: timestampSchema,
  },
  strict,
)

/** An alert; timestamps are ISO 8601. */
export type Alert = RecordOf<typeof alertSchema>

const counts = <Name extends string>(names: readonly Name[]) =>
  Type.Unsafe<Record<Name, number>>(
    Type.Object(Object.fromEntries(names.map((name) => [name, Type.Integer()])), strict),
  )

/** Counts of alerts; those by severity and kind exclude resolved ones. */
export const alertStatsSchema = Type.Object(
  {
    total: Type.Integer(),
    byStatus: counts(statuses),
    bySeverity: counts(severities),
    byKind: Type.Record(Type.String(), Type.Integer()),
  },
  strict,
)

/** See `alertStatsSchema`. */
export type AlertStats = RecordOf<typeof alertStatsSchema>

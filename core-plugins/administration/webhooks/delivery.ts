import { Type } from 'typebox'
import { orNull, type RecordOf, strict, timestampSchema } from '../../foundation/http/http.ts'

export const deliveryStatuses = ['pending', 'delivered', 'retrying', 'dead'] as const

/** See docs/webhooks.md. A `retrying` delivery has failed and will be attempted again; a `dead` one will not. */
export type DeliveryStatus = (typeof deliveryStatuses)[number]

const origins = ['change', 'replay', 'test'] as const

/** Why a delivery was made. */
export type DeliveryOrigin = (typeof origins)[number]

const headersSchema = orNull(Type.Record(Type.String(), Type.String()))

/** An event that was or will be sent, as the API shows it. */
export const deliverySchema = Type.Object(
  {
    id: Type.Integer(),
    webhookId: Type.Integer(),
    event: Type.String(),
    origin: Type.Enum([...origins]),
    status: Type.Enum([...deliveryStatuses]),
    statusCode: orNull(Type.Integer()),
    responseTime: orNull(Type.Integer({ description: 'Milliseconds' })),
    attempt: Type.Integer({ description: 'Attempts so far' }),
    requestHeaders: headersSchema,
    responseHeaders: headersSchema,
    payload: Type.Unknown({
      description: 'The body that is sent; null for callers who may not read such entries',
    }),
    error: orNull(Type.String()),
    created_at: timestampSchema,
  },
  strict,
)

/** See docs/webhooks.md. Response times are those of the latest attempts with a response; null if there are none. */
export const deliveryStatsSchema = Type.Object(
  {
    total: Type.Integer(),
    delivered: Type.Integer(),
    dead: Type.Integer(),
    pending: Type.Integer({ description: 'Retrying ones included' }),
    successRate: orNull(Type.Number({ description: 'Of the finished ones, 0 to 1' })),
    avgResponseTime: orNull(Type.Number({ description: 'Milliseconds, of the latest 1,000 answers' })),
    p95ResponseTime: orNull(Type.Number({ description: 'The same' })),
  },
  strict,
)

/** See `deliveryStatsSchema`. */
export type DeliveryStats = RecordOf<typeof deliveryStatsSchema>

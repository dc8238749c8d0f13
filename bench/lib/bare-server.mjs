// The baseline for reads: Fastify, one statement through pg and JSON.stringify. It runs as a child
// process, receives its statement as a message, and answers with its address.
import fastify from 'fastify'
import pg from 'pg'

process.once('message', async ({ databaseUrl, text, values, parsers }) => {
  const { parsers: typesOf } = await import(parsers)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, types: typesOf() })
  const server = fastify()
  server.get('/v1/products/:id', async (request, reply) => {
    const { rows } = await pool.query(text, [...values.slice(0, -1), request.params.id])
    const { details, seo, methods, media, variants, created_at, updated_at, ...rest } = rows[0]
    const product = { ...rest, created_at, updated_at }
    const answer = { success: true, product, details, seo, methods, media, variants }
    reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answer))
    return reply
  })
  process.send({ origin: await server.listen({ port: 0, host: '127.0.0.1' }) })
})
process.once('disconnect', () => process.exit())

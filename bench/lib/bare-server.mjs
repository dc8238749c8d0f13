// The server to which reads are compared: Fastify, one statement through pg, and JSON.stringify. It is a child
// process, which receives its statement in a message and answers with its address.
import fastify from 'fastify'
import pg from 'pg'

process.once('message', async ({ databaseUrl, text, values, parsersFile }) => {
  const { parsers: createParsers } = await import(parsersFile)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, types: createParsers() })
  const server = fastify()
  server.get('/v1/products/:id', async (request, reply) => {
    // The last value of the statement is the product's id.
    const { rows } = await pool.query(text, [...values.slice(0, -1), request.params.id])
    const { details, seo, methods, media, variants, ...product } = rows[0]
    const answer = { success: true, product, details, seo, methods, media, variants }
    reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answer))
    return reply
  })
  process.send({ origin: await server.listen({ port: 0, host: '127.0.0.1' }) })
})
process.once('disconnect', () => process.exit())

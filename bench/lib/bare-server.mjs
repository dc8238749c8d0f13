// The servers to which reads are compared: Fastify and one prepared statement through pg. One handler runs the statement of
// a product and JSON.stringify; the other reads the whole answer as a stored text. Both are in one child process, which
// receives its task in a message and answers with its address.
import fastify from 'fastify'
import pg from 'pg'

process.once('message', async ({ databaseUrl, text, values, answer, parsersFile }) => {
  const { parsers: createParsers } = await import(parsersFile)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, types: createParsers() })
  const server = fastify()
  const answerOf = async (id) => {
    // The last value of the statement is the product's id.
    const query = { name: 'product', text, values: [...values.slice(0, -1), id] }
    const { rows } = await pool.query(query)
    const { details, seo, media, variants, methods: _, ...product } = rows[0]
    // The statement does not have the methods that are connected to the store.
    const { methods } = answer
    return JSON.stringify({ success: true, product, details, seo, methods, media, variants })
  }
  const send = (reply, body) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(body)
  server.get('/v1/products/:id', async (request, reply) => {
    send(reply, await answerOf(request.params.id))
    return reply
  })
  const document = { name: 'document', text: 'select body from stored_document where id = $1' }
  server.get('/stored/:id', async (request, reply) => {
    const { rows } = await pool.query({ ...document, values: [request.params.id] })
    send(reply, rows[0].body)
    return reply
  })
  const id = values.at(-1)
  await pool.query('create table stored_document (id text primary key, body text not null)')
  await pool.query('insert into stored_document values ($1, $2)', [id, await answerOf(id)])
  process.send({ origin: await server.listen({ port: 0, host: '127.0.0.1' }) })
})
process.once('disconnect', () => process.exit())

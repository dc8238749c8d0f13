/** Everything about the schema that a test may change. */
const SCHEMA = `select jsonb_build_array(
  (select array[count(*), max(oid::bigint)] from pg_class where relnamespace = 'public'::regnamespace),
  (select count(*) from pg_attribute where not attisdropped),
  (select count(*) from pg_constraint),
  (select count(*) from pg_trigger),
  (select count(*) from pg_proc),
  (select count(*) from pg_namespace))`

/** The tables of an installation, as `relname`. */
const TABLES = `select relname from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`

/**
 * Keeps what migrations write, so that `pristine.restore()` can make an embedded database new again. It
 * returns false, and changes nothing, where a test changed the schema.
 */
export const PRISTINE = `
  create schema pristine;
  create table pristine.schema (is_now jsonb);
  create table pristine.sequence as
    select sequencename as name, last_value from pg_sequences where schemaname = 'public';
  do $do$
  declare
    t record;
    filled boolean;
  begin
    for t in ${TABLES} loop
      execute format('select exists (select from public.%I)', t.relname) into filled;
      if filled then
        execute format('create table pristine.%I as table public.%I', 'rows_' || t.relname, t.relname);
      end if;
    end loop;
  end $do$;
  create function pristine.restore() returns boolean language plpgsql as $fn$
  declare
    t record;
  begin
    if (select is_now from pristine.schema) <> (${SCHEMA}) then
      return false;
    end if;
    perform set_config('session_replication_role', 'replica', true);
    execute (select 'truncate ' || string_agg(format('public.%I', relname), ',') from (${TABLES}) r);
    for t in select name, last_value from pristine.sequence loop
      execute format('alter sequence public.%I restart', t.name);
      if t.last_value is not null then
        perform setval(format('public.%I', t.name)::regclass, t.last_value);
      end if;
    end loop;
    for t in select tablename, substr(tablename, 6) as original from pg_tables
        where schemaname = 'pristine' and starts_with(tablename, 'rows_') loop
      execute format('insert into public.%I overriding system value select * from pristine.%I',
        t.original, t.tablename);
    end loop;
    return true;
  end $fn$;
  insert into pristine.schema ${SCHEMA};
`

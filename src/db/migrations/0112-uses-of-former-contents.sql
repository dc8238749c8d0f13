-- Counts the uses of a stored file again when a former content of a server-side file is deleted, because a process of a
-- release without former contents does not count them. The trigger is deferred, because the previous release also
-- subtracts these uses (decision 398).
create function count_uses_of_former_content() returns trigger language plpgsql as $$
declare
  used integer;
begin
  perform from blob where store_id = old.store_id and id = old.blob_id for update;
  -- Only the contents of one file share bytes.
  select (select count(*) from serverside_file
           where store_id = old.store_id and id = old.file_id and blob_id = old.blob_id)
       + (select count(*) from serverside_file_version
           where store_id = old.store_id and file_id = old.file_id and blob_id = old.blob_id)
    into used;
  update blob
     set uses = used, remove_at = case when used = 0 then coalesce(remove_at, clock_timestamp()) end
   where store_id = old.store_id and id = old.blob_id and uses <> used;
  return null;
end $$;
create constraint trigger count_uses_of_former_content after delete on serverside_file_version
  deferrable initially deferred for each row execute function count_uses_of_former_content();

-- Frees the stored files that such processes left.
update blob b
   set uses = 0, remove_at = clock_timestamp()
 where uses > 0
   and not exists (select from product_media r where r.store_id = b.store_id and r.blob_id = b.id)
   and not exists (select from product_file r where r.store_id = b.store_id and r.blob_id = b.id)
   and not exists (select from return_photo r where r.store_id = b.store_id and r.blob_id = b.id)
   and not exists (select from serverside_file r where r.store_id = b.store_id and r.blob_id = b.id)
   and not exists (select from serverside_file_version r where r.store_id = b.store_id and r.blob_id = b.id);

ALTER TABLE `contract` ADD `buyer_kind` text;
--> statement-breakpoint
UPDATE `contract` SET buyer_kind = b.kind FROM `buyer` b WHERE b.id = contract.buyer_id AND b.kind IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `buyer_kind_of_added_contract` AFTER INSERT ON contract WHEN NEW.buyer_id IS NOT NULL BEGIN
  UPDATE contract SET buyer_kind = b.kind FROM buyer b WHERE contract.id = NEW.id AND b.id = NEW.buyer_id AND b.kind IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `buyer_kind_of_contract` AFTER UPDATE OF buyer_id ON contract WHEN NEW.buyer_id IS NOT OLD.buyer_id BEGIN
  UPDATE contract SET buyer_kind = (SELECT kind FROM buyer WHERE id = NEW.buyer_id) WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER `kind_of_added_buyer` AFTER INSERT ON buyer WHEN NEW.kind IS NOT NULL BEGIN
  UPDATE contract SET buyer_kind = NEW.kind WHERE buyer_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER `kind_of_buyer` AFTER UPDATE OF kind ON buyer WHEN NEW.kind IS NOT OLD.kind BEGIN
  UPDATE contract SET buyer_kind = NEW.kind, seq = iif(gone = 0, max(seq, NEW.seq), seq) WHERE buyer_id = NEW.id;
END;
--> statement-breakpoint
DROP TRIGGER `change_of_contract`;
--> statement-breakpoint
CREATE TRIGGER `change_of_contract` AFTER UPDATE OF seq ON contract WHEN (NEW.seq > OLD.seq OR (NEW.seq = OLD.seq AND (NEW.digest IS NOT OLD.digest OR NEW.gone IS NOT OLD.gone))) BEGIN
  INSERT INTO change (kind, seq, id, change, changed, former) VALUES ('contract', NEW.seq, NEW.id, CASE WHEN NEW.gone = 1 THEN 'gone' WHEN OLD.gone IS NOT 0 THEN 'new' ELSE 'updated' END, iif(NEW.gone = 0 AND OLD.gone = 0, trim(iif(OLD.notice_id IS NOT NEW.notice_id, 'notice_id ', '') || iif(OLD.title IS NOT NEW.title, 'title ', '') || iif(OLD.buyer_id IS NOT NEW.buyer_id, 'buyer_id ', '') || iif(OLD.buyer IS NOT NEW.buyer, 'buyer ', '') || iif(OLD.buyer_kind IS NOT NEW.buyer_kind, 'buyer_kind ', '') || iif(OLD.supplier IS NOT NEW.supplier, 'supplier ', '') || iif(OLD.suppliers IS NOT NEW.suppliers, 'suppliers ', '') || iif(OLD.value IS NOT NEW.value, 'value ', '') || iif(OLD.currency IS NOT NEW.currency, 'currency ', '') || iif(OLD.value_basis IS NOT NEW.value_basis, 'value_basis ', '') || iif(OLD.value_class IS NOT NEW.value_class, 'value_class ', '') || iif(OLD.awarded IS NOT NEW.awarded, 'awarded ', '') || iif(OLD.signed IS NOT NEW.signed, 'signed ', '') || iif(OLD.starts IS NOT NEW.starts, 'starts ', '') || iif(OLD.ends IS NOT NEW.ends, 'ends ', '') || iif(OLD.status IS NOT NEW.status, 'status ', '') || iif(OLD.sort_date IS NOT NEW.sort_date, 'dated ', '') || iif(OLD.cpv IS NOT NEW.cpv, 'cpv ', '') || iif(OLD.region IS NOT NEW.region, 'region ', '') || iif(OLD.nation IS NOT NEW.nation, 'nation ', '') || iif(OLD.url IS NOT NEW.url, 'url ', '') || iif(OLD.framework_id IS NOT NEW.framework_id, 'framework_id ', '') || iif(OLD.framework_role IS NOT NEW.framework_role, 'framework_role ', '') || iif(OLD.ends_latest IS NOT NEW.ends_latest, 'ends_latest ', '') || iif(OLD.ends_basis IS NOT NEW.ends_basis, 'ends_basis ', '') || iif(OLD.procedure IS NOT NEW.procedure, 'procedure ', '') || iif(OLD.bids_received IS NOT NEW.bids_received OR OLD.bids_from_smes IS NOT NEW.bids_from_smes, 'bids ', '') || iif(OLD.sme IS NOT NEW.sme, 'sme ', '') || iif(OLD.also_on IS NOT NEW.also_on, 'also_on ', '') || iif(OLD.detail IS NOT NEW.detail, 'detail ', '')), ''), iif(OLD.id IS NOT NULL AND (NEW.gone = 1 OR OLD.buyer_id IS NOT NEW.buyer_id OR OLD.value IS NOT NEW.value OR OLD.currency IS NOT NEW.currency OR OLD.value_class IS NOT NEW.value_class OR OLD.sort_date IS NOT NEW.sort_date OR OLD.starts IS NOT NEW.starts OR OLD.ends IS NOT NEW.ends OR OLD.status IS NOT NEW.status OR OLD.procedure IS NOT NEW.procedure OR OLD.bids_received IS NOT NEW.bids_received OR OLD.sme IS NOT NEW.sme OR OLD.framework_id IS NOT NEW.framework_id OR OLD.source IS NOT NEW.source OR OLD.nation IS NOT NEW.nation OR OLD.buyer_kind IS NOT NEW.buyer_kind OR (OLD.detail IS NOT NEW.detail AND (OLD.detail -> '$.cpvs') IS NOT (NEW.detail -> '$.cpvs')) OR (OLD.detail IS NOT NEW.detail AND (OLD.detail -> '$.regions') IS NOT (NEW.detail -> '$.regions')) OR OLD.also_on IS NOT NEW.also_on OR (OLD.suppliers IS NOT NEW.suppliers AND (SELECT json_group_array(value ->> '$.company_id') FROM json_each(OLD.suppliers)) IS NOT (SELECT json_group_array(value ->> '$.company_id') FROM json_each(NEW.suppliers)))), json_object('buyer_id', OLD.buyer_id, 'value', OLD.value, 'currency', OLD.currency, 'value_class', OLD.value_class, 'sort_date', OLD.sort_date, 'starts', OLD.starts, 'ends', OLD.ends, 'status', OLD.status, 'procedure', OLD.procedure, 'bids_received', OLD.bids_received, 'sme', OLD.sme, 'framework_id', OLD.framework_id, 'source', OLD.source, 'nation', OLD.nation, 'buyer_kind', OLD.buyer_kind, 'cpvs', (OLD.detail -> '$.cpvs'), 'regions', (OLD.detail -> '$.regions'), 'also_on', json(OLD.also_on), 'company_ids', (SELECT json_group_array(value ->> '$.company_id') FROM json_each(OLD.suppliers))), NULL))
    ON CONFLICT (kind, seq, id) DO UPDATE SET change = excluded.change,
      changed = iif(excluded.change = 'updated', trim(changed || ' ' || excluded.changed), ''), former = coalesce(former, excluded.former)
    WHERE change = 'updated';
END;
--> statement-breakpoint
DROP TRIGGER `change_of_owners`;
--> statement-breakpoint
CREATE TRIGGER `change_of_owners` AFTER UPDATE OF seq ON contract WHEN (NEW.seq > OLD.seq OR (NEW.seq = OLD.seq AND (NEW.digest IS NOT OLD.digest OR NEW.gone IS NOT OLD.gone))) AND OLD.gone = 0 AND (NEW.gone = 1 OR OLD.buyer_id IS NOT NEW.buyer_id
    OR OLD.sort_date IS NOT NEW.sort_date OR (OLD.suppliers IS NOT NEW.suppliers AND (SELECT json_group_array(value ->> '$.company_id') FROM json_each(OLD.suppliers)) IS NOT (SELECT json_group_array(value ->> '$.company_id') FROM json_each(NEW.suppliers)))
    OR (OLD.detail IS NOT NEW.detail AND (OLD.detail -> '$.cpvs') IS NOT (NEW.detail -> '$.cpvs'))) BEGIN
  INSERT INTO lost_contract (kind, owner_id, seq, contract_id) SELECT 'buyer', owner.value, NEW.seq, NEW.id FROM  json_each(iif(OLD.buyer_id IS NULL, '[]', json_array(OLD.buyer_id))) owner
    WHERE (NEW.gone = 1 OR owner.value NOT IN (SELECT value FROM json_each(iif(NEW.buyer_id IS NULL, '[]', json_array(NEW.buyer_id)))));
  UPDATE buyer SET seq = NEW.seq WHERE gone = 0 AND seq < NEW.seq AND id IN (SELECT owner.value FROM  json_each(json_array(json(iif(OLD.buyer_id IS NULL, '[]', json_array(OLD.buyer_id))), json(iif(NEW.buyer_id IS NULL, '[]', json_array(NEW.buyer_id))))) side, json_each(side.value) owner);
  UPDATE change SET changed = 'contracts' WHERE kind = 'buyer' AND seq = NEW.seq
    AND id IN (SELECT owner.value FROM  json_each(json_array(json(iif(OLD.buyer_id IS NULL, '[]', json_array(OLD.buyer_id))), json(iif(NEW.buyer_id IS NULL, '[]', json_array(NEW.buyer_id))))) side, json_each(side.value) owner) AND change = 'updated' AND changed = '';
  INSERT INTO lost_contract (kind, owner_id, seq, contract_id) SELECT 'company', owner.value, NEW.seq, NEW.id FROM  json_each((SELECT json_group_array(value ->> '$.company_id') FROM json_each(OLD.suppliers))) owner
    WHERE (NEW.gone = 1 OR owner.value NOT IN (SELECT value FROM json_each((SELECT json_group_array(value ->> '$.company_id') FROM json_each(NEW.suppliers)))));
  UPDATE company SET seq = NEW.seq WHERE gone = 0 AND seq < NEW.seq AND id IN (SELECT owner.value FROM  json_each(json_array(json((SELECT json_group_array(value ->> '$.company_id') FROM json_each(OLD.suppliers))), json((SELECT json_group_array(value ->> '$.company_id') FROM json_each(NEW.suppliers))))) side, json_each(side.value) owner);
  UPDATE change SET changed = 'contracts' WHERE kind = 'company' AND seq = NEW.seq
    AND id IN (SELECT owner.value FROM  json_each(json_array(json((SELECT json_group_array(value ->> '$.company_id') FROM json_each(OLD.suppliers))), json((SELECT json_group_array(value ->> '$.company_id') FROM json_each(NEW.suppliers))))) side, json_each(side.value) owner) AND change = 'updated' AND changed = '';
END;

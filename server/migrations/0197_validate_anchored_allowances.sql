alter table features validate constraint features_anchor;
alter table features validate constraint features_anchored;
